// measure/measure.h on the fake device: how a number is made, and what happens to a point when something goes
// wrong.
// SPDX-License-Identifier: MIT
#include "measure/measure.h"

#include "unit/reason_here.h"
#include "unit/test.h"

#include "unit/fake_job.h"
#include "spec/columns.h"

static void close_to(double got, double want) { CHECK(fabs(got - want) <= 1e-9 * fabs(want)); }

static void number_is_a_median_with_its_interval_and_rates(void)
{
    struct job job = fake_job(0);
    struct result r;
    job.reports = fake_job_reports;
    job.report_count = 1;
    fake_write("name Fake\ntime 50\nclock 1980\npeak 4800\nfact regs 32\nreport 0 777\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_TEXT(reason_of(&r), "");
    CHECK_TEXT(r.device, "Fake");
    CHECK_TEXT(r.counts, "");
    close_to(r.columns[COLUMN_TIME_US], 50);
    close_to(r.columns[COLUMN_TIME_LO_US], 50);
    close_to(r.columns[COLUMN_TIME_HI_US], 50);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 10);
    CHECK_INT(r.columns[COLUMN_DISCARDED], 0);
    CHECK_INT(r.columns[COLUMN_CLOCK_MHZ], 1980);
    close_to(r.columns[COLUMN_GBPS], 20);
    close_to(r.columns[COLUMN_GFLOPS], 40);
    CHECK_INT(r.columns[COLUMN_PEAK_GBPS], 4800);
    CHECK_INT(r.columns[COLUMN_REGS], 32);
    CHECK(isnan(r.columns[COLUMN_LD_REQUESTS]));
    CHECK_INT(r.reports[0], 777);
    CHECK(isnan(r.reports[1]));
    CHECK(r.busy_s > 11 * 49e-6 && r.wall_s > 0);
    job.settings[SETTING_PEAK] = value_real(3.35e12);
    fake_measured(&job, &r);
    CHECK_INT(r.columns[COLUMN_PEAK_GBPS], 3350);
}

// The measured part is nothing but restore, flush, begin, submit, end, wait, in that order: nothing compiles or
// allocates there.
static void calls_come_in_the_one_order(void)
{
    struct job job = fake_job(0);
    struct result r;
    struct str want = {0};
    job.settings[SETTING_CACHE] = value_text("cold");
    job.settings[SETTING_COUNTERS] = value_text("hardware");
    job.goals.warmup = 2;
    fake_write("time 50\nfact regs 32\ncount ld_requests 64\ncount regs 9\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(r.columns[COLUMN_REGS], 32); // counting counts, and touches nothing else
    CHECK_INT(r.columns[COLUMN_LD_REQUESTS], 64);
    CHECK_TEXT(r.counts, "hardware");
    str_add(&want, "open\nprepare\nverify\n");
    for (int i = 0; i < 12; i++) str_add(&want, "restore\nflush\nbegin\nsubmit\nend\nwait\n");
    str_add(&want, "count\nfinish\n");
    char *trace = fake_traced();
    CHECK_TEXT(trace, want.text);
    free(trace);
    str_release(&want);
}

// Warm or cold, each sample begins from the state that the point asks for.
static void warm_samples_are_restored_and_not_flushed(void)
{
    struct job job = fake_job(0);
    struct result r;
    struct str want = {0};
    fake_write("time 50\n");
    fake_measured(&job, &r);
    char *trace = fake_traced();
    str_add(&want, "open\nprepare\nverify\n");
    for (int i = 0; i < 12; i++) str_add(&want, "restore\nbegin\nsubmit\nend\nwait\n");
    str_add(&want, "finish\n");
    CHECK_TEXT(trace, want.text);
    free(trace);
    str_release(&want);
}

static int count_of(const char *text, const char *word)
{
    int n = 0;
    for (const char *p = text; (p = strstr(p, word)); p++) n++;
    return n;
}

static int longest_batch(void)
{
    char *trace = fake_traced();
    int longest = 0, n = 0;
    for (char *line = strtok(trace, "\n"); line; line = strtok(NULL, "\n")) {
        n = strcmp(line, "submit") == 0 ? n + 1 : 0;
        if (n > longest) longest = n;
    }
    free(trace);
    return longest;
}

static void short_work_is_batched_to_the_least_sample(void)
{
    struct job job = fake_job(0);
    struct result r;
    fake_write("time 3\noverhead 1\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_TEXT(reason_of(&r), "");
    CHECK_INT(longest_batch(), 7); // one run is 4 us with its overhead; six, to be 22 us, are 19; seven it is
    close_to(r.columns[COLUMN_TIME_US], 22.0 / 7);
    fake_write("time 0.001\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(longest_batch(), 250); // more would not fit the launch queue behind a closed gate
    CHECK_TEXT(reason_of(&r), "samples of 0.25 us are shorter than 20 us: no more runs fit the launch queue");
}

static void batch_of_one(const char *why, struct job job)
{
    struct result r;
    char reason[120];
    fake_write("time 3\ncold 9\n");
    fake_measured(&job, &r);
    char *trace = fake_traced();
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(count_of(trace, "submit"), count_of(trace, "begin"));
    bool cold = strstr(why, "cold") != NULL;
    close_to(r.columns[COLUMN_TIME_US], cold ? 9 : 3); // never the mean of a cold run and warm ones
    snprintf(reason, sizeof reason, "samples of %d us are shorter than 20 us and not batched: %s", cold ? 9 : 3, why);
    CHECK_TEXT(reason_of(&r), reason);
    free(trace);
}

static void work_that_does_not_repeat_alike_is_not_batched(void)
{
    struct job cold = fake_job(0);
    cold.settings[SETTING_CACHE] = value_text("cold");
    batch_of_one("the cache is cold", cold);
    struct job managed = fake_job(0);
    fake_job_buffers[0].memory = "managed";
    batch_of_one("each run needs its state restored", managed);
    struct job in_place = fake_job(0);
    fake_job_buffers[0].access = ACCESS_BOTH;
    batch_of_one("each run needs its state restored", in_place);
    struct job window = fake_job(0);
    window.settings[SETTING_WINDOW_BUFFER] = value_text("in");
    batch_of_one("each run needs its state restored", window);
}

static void throttled_samples_are_discarded_and_counted(void)
{
    struct job job = fake_job(0);
    struct result r;
    fake_write("time 50\nclock 2000\nthrottle 4 8\n"); // samples 1 and 2 warm up and choose the batch
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_INT(r.columns[COLUMN_SAMPLES], 10);
    CHECK_INT(r.columns[COLUMN_DISCARDED], 5);
    CHECK_INT(r.columns[COLUMN_CLOCK_MHZ], 2000);
    close_to(r.columns[COLUMN_TIME_HI_US], 50);
    fake_write("time 50\nthrottle 1 100000\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_FAILED);
    CHECK_TEXT(reason_of(&r), "the clock was throttled during every one of 200 samples");
    CHECK(fabs(r.part.rested_s - 8) < 1e-9);
    CHECK(isnan(r.columns[COLUMN_TIME_US]));
    fake_write("time 50\nthrottle 6 100000\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK(strncmp(reason_of(&r), "only 3 samples in ", 18) == 0 &&
        strstr(reason_of(&r), "(197 discarded): no interval from fewer than 6"));
    CHECK(isnan(r.columns[COLUMN_TIME_LO_US]));
    close_to(r.columns[COLUMN_TIME_US], 50);
}

static void drift_makes_a_row_imprecise(void)
{
    struct job job = fake_job(0);
    struct result r;
    job.goals.precision = 0.02;
    fake_write("time 50\ndrift 0.005\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK(strncmp(reason_of(&r), "times drift: of 200 samples the later half is ", 46) == 0);
    CHECK(strstr(reason_of(&r), "% slower than the earlier") != NULL);
    fake_write("time 50\ntransient 6 1.1\n"); // still warming up when sampling began: outnumbered by more samples
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK(r.columns[COLUMN_SAMPLES] > 10);
    close_to(r.columns[COLUMN_TIME_US], 50);
}

static void missing_the_goal_says_how_far_it_got(void)
{
    struct job job = fake_job(0);
    struct result r;
    fake_write("time 50\nnoise 0.2\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK(strncmp(reason_of(&r), "reached ", 8) == 0 && strstr(reason_of(&r), " % after 200 samples in ") &&
        strstr(reason_of(&r), "not 0.5 %"));
    CHECK(r.columns[COLUMN_TIME_US] > 45 && r.columns[COLUMN_TIME_US] < 55);
    CHECK(r.columns[COLUMN_TIME_LO_US] < r.columns[COLUMN_TIME_US] &&
        r.columns[COLUMN_TIME_US] < r.columns[COLUMN_TIME_HI_US]);
    job.goals.precision = 0.1;
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    job.goals.max_time = 0;
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK(strncmp(reason_of(&r), "only 1 sample in ", 17) == 0);
}

static void below_the_timer_is_no_number(void)
{
    struct job job = fake_job(0);
    struct result r;
    job.settings[SETTING_CACHE] = value_text("cold");
    fake_write("time 0.3\ntick 0.5\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_IMPRECISE);
    CHECK_TEXT(reason_of(&r), "too short for the timer: the median of 200 samples is 0");
    CHECK(isnan(r.columns[COLUMN_TIME_US]) && isnan(r.columns[COLUMN_GBPS]));
}

static void nothing_was_measured(const struct result *r)
{
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (column_table[c].wrong == WRONG_EMPTY) CHECK(isnan(r->columns[c]));
    for (int i = 0; i < RESULT_REPORTS; i++) CHECK(isnan(r->reports[i]));
    CHECK_TEXT(r->counts, "");
}

// A kernel that writes to what it should only read made its own inputs: no number comes from it.
static void what_is_only_read_must_not_change(void)
{
    struct job job = fake_job(0);
    struct result r;
    fake_write("changes 0 77\nfact regs 40\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_FAILED);
    CHECK_TEXT(reason_of(&r),
        "the kernel writes to `in`, which is `access: read`: `in[77]` is the first element that is another; with "
        "`access: both` it may");
    CHECK_INT(r.columns[COLUMN_REGS], 40);
    CHECK(isnan(r.columns[COLUMN_TIME_US]));
    fake_write("changes 0 -1\n");
    fake_measured(&job, &r);
    CHECK_TEXT(reason_of(&r), "the kernel writes to `in`, which is `access: read`; with `access: both` it may");
}

static void wrong_result_has_no_bandwidth(void)
{
    struct job job = fake_job(0);
    struct result r;
    fake_write("wrong 3 17 2048\nfact regs 40\n");
    fake_measured(&job, &r);
    char *trace = fake_traced();
    CHECK_INT(r.status, STATUS_WRONG);
    CHECK_TEXT(reason_of(&r), "3 of 2048 elements are wrong, the first is [17]");
    nothing_was_measured(&r);
    CHECK_INT(r.columns[COLUMN_REGS], 40);
    CHECK_TEXT(trace, "open\nprepare\nverify\nfinish\n");
    free(trace);
}

static void unverified_is_not_ok_though_it_has_numbers(void)
{
    struct job job = fake_job(0);
    struct result r;
    fake_write("time 50\nunchecked\nwarn took managed memory\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_UNVERIFIED);
    CHECK(r.columns[COLUMN_TIME_US] > 0);
    CHECK_TEXT(reason_of(&r), "not verified: the kernel has no check; took managed memory");
}

static void what_cannot_run_here_is_skipped(void)
{
    struct job job = fake_job(2);
    struct result r;
    fake_write("for x=2 unfit `host: pinned` needs a CUDA device\nfor x=3 skip unsupported: mma.sync\nfact regs 3\n");
    fake_measured(&job, &r);
    char *trace = fake_traced();
    CHECK_INT(r.status, STATUS_SKIPPED);
    CHECK_TEXT(reason_of(&r), "`host: pinned` needs a CUDA device");
    CHECK_TEXT(trace, "open\n");
    free(trace);
    job = fake_job(3);
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_SKIPPED);
    CHECK_TEXT(reason_of(&r), "unsupported: mma.sync");
    nothing_was_measured(&r);
}

static void untimed_device_counts_and_reports_no_time(void)
{
    struct job job = fake_job(0);
    struct result r;
    fake_write("untimed\ncount ld_requests 64\ncount ld_sectors 256\n");
    fake_measured(&job, &r);
    char *trace = fake_traced();
    CHECK_INT(r.status, STATUS_OK);
    CHECK_TEXT(reason_of(&r), "");
    CHECK_TEXT(r.counts, "sim");
    CHECK_INT(r.columns[COLUMN_LD_SECTORS], 256);
    CHECK(isnan(r.columns[COLUMN_TIME_US]) && isnan(r.columns[COLUMN_SAMPLES]) && isnan(r.columns[COLUMN_GBPS]));
    CHECK_TEXT(trace, "open\nprepare\nverify\ncount\nfinish\n");
    free(trace);
    job.settings[SETTING_COUNTERS] = value_text("none");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK_TEXT(r.counts, "");
    CHECK(isnan(r.columns[COLUMN_LD_SECTORS]));
    job.settings[SETTING_COUNTERS] = value_text("hardware");
    fake_measured(&job, &r);
    CHECK_TEXT(reason_of(&r), "`counters: hardware` needs a GPU: counted by the simulator");
    CHECK_INT(r.columns[COLUMN_LD_SECTORS], 256);
    fake_write("untimed\ncount none\n");
    fake_measured(&job, &r);
    CHECK_INT(r.status, STATUS_OK);
    CHECK(strstr(reason_of(&r), "not counted: its file says that nothing can be counted") != NULL);
}

// Every call of a point fails once: the row says failed with that sentence, no number is left, and finish comes last.
static void each_call_fails_once(void)
{
    struct job job = fake_job(0);
    struct result r;
    int calls = 0, failed = 0;
    job.reports = fake_job_reports;
    job.report_count = 1;
    job.settings[SETTING_CACHE] = value_text("cold");
    job.settings[SETTING_COUNTERS] = value_text("hardware");
    for (int k = 1;; k++) {
        fake_write("time 50\nfact regs 8\ncount ld_requests 3\nreport 0 5\nfail any %d broke at %d\n", k, k);
        fake_measured(&job, &r);
        char *trace = fake_traced(), want[32], last[32] = "";
        size_t n = strlen(trace);
        CHECK(n > 8 && strcmp(trace + n - 8, "\nfinish\n") == 0);
        CHECK_INT(count_of(trace, "finish"), 1);
        calls = count_of(trace, "\n") - 1; // without open
        if (n > 8) {                       // the call before finish: the one that failed
            trace[n - 8] = '\0';
            snprintf(last, sizeof last, "%.31s", strrchr(trace, '\n') ? strrchr(trace, '\n') + 1 : trace);
        }
        free(trace);
        if (calls <= k) break; // only finish is left, and it cannot fail
        snprintf(want, sizeof want, "broke at %d", k);
        failed += r.status == STATUS_FAILED;
        CHECK_INT(calls, k + 1);
        if (strcmp(last, "count") == 0) continue;
        CHECK_INT(r.status, STATUS_FAILED);
        CHECK_TEXT(reason_of(&r), want);
        nothing_was_measured(&r);
    }
    CHECK_INT(failed, 2 + 6 + 10 * 7); // prepare, verify; a warm-up; ten samples with their reports
}

int main(void)
{
    fake_begin();
    number_is_a_median_with_its_interval_and_rates();
    calls_come_in_the_one_order();
    warm_samples_are_restored_and_not_flushed();
    short_work_is_batched_to_the_least_sample();
    work_that_does_not_repeat_alike_is_not_batched();
    throttled_samples_are_discarded_and_counted();
    drift_makes_a_row_imprecise();
    missing_the_goal_says_how_far_it_got();
    below_the_timer_is_no_number();
    what_is_only_read_must_not_change();
    wrong_result_has_no_bandwidth();
    unverified_is_not_ok_though_it_has_numbers();
    what_cannot_run_here_is_skipped();
    untimed_device_counts_and_reports_no_time();
    each_call_fails_once();
    fake_end();
    return test_end();
}
