// device/fake/fake.c: every statement, and every mistake in one.
// SPDX-License-Identifier: MIT
#include "unit/test.h"

#include "unit/fake_job.h"
#include "spec/columns.h"

static const struct device_ops *const ops = &device_fake;

static struct device *opened(void)
{
    struct diags d = {0};
    struct device *dev = ops->open(fake_path, &d);
    CHECK_TEXT(diags_first(&d), "");
    diags_clear(&d);
    return dev;
}

static void every_mistake_is_said_at_once_with_its_line(void)
{
    struct diags d = {0};
    fake_write("time fast\n# a comment\n\ntimes 3\nfail submit 2\nfail dance 1 no\nfor x time 3\nuntimed please\n"
               "count sectors 1\nfor x=1\n");
    CHECK(ops->open(fake_path, &d) == NULL);
    CHECK_INT(d.count, 8);
    CHECK_INT(d.items[0].at.line, 1);
    CHECK_TEXT(d.items[0].what, "`time` takes a number here");
    CHECK_INT(d.items[1].at.line, 4);
    CHECK_TEXT(d.items[1].what, "unknown statement");
    CHECK_TEXT(d.items[2].what, "`fail` takes a text here");
    CHECK_TEXT(d.items[3].what, "`fail` takes a call here");
    CHECK_TEXT(d.items[4].what, "`for` takes NAME=VALUE");
    CHECK_TEXT(d.items[5].what, "there is more on the line than `untimed` takes");
    CHECK_TEXT(d.items[6].what, "`count` takes a column here");
    CHECK_TEXT(d.items[7].what, "`for` stands in front of a statement");
    diags_clear(&d);
    CHECK(ops->open("/no/such/file", &d) == NULL);
    CHECK_INT(d.count, 1);
    diags_clear(&d);
}

static void identity_is_what_the_file_says(void)
{
    struct device_identity id;
    fake_write("name A fake GPU  # with a comment\nidentity it 1\narch sm_99\nuntimed\npeak 1000\nmemory 4096\n");
    struct device *dev = opened();
    ops->identity(dev, &id);
    CHECK_TEXT(id.name, "A fake GPU");
    CHECK_TEXT(id.identity, "it 1");
    CHECK_TEXT(id.arch, "sm_99");
    CHECK(!id.timed && id.peak_gbps == 1000 && id.memory_total == 4096);
    ops->close(dev);
}

static double one_sample(struct device *dev, bool flush, int batch)
{
    struct diags d = {0};
    struct sample s = {0};
    bool good = ops->restore(dev, &d) && (!flush || ops->flush(dev, &d)) && ops->begin(dev, &d);
    for (int i = 0; i < batch; i++) good = good && ops->submit(dev, &d);
    good = good && ops->end(dev, &d) && ops->wait(dev, &s, &d);
    CHECK(good);
    diags_clear(&d);
    return s.us;
}

static bool prepare(struct device *dev, const struct job *job)
{
    double columns[COLUMN_COUNT];
    bool skip;
    struct diags d = {0};
    bool good = ops->prepare(dev, job, columns, &skip, &d);
    diags_clear(&d);
    return good;
}

static void times_are_arithmetic(void)
{
    struct job job = fake_job(3);
    fake_write("time 10\nfor x=3 time 20\nfor x=4 time 40\ncold 30\noverhead 2\ntransient 1 2\ntick 4\n");
    struct device *dev = opened();
    CHECK(prepare(dev, &job));
    CHECK(one_sample(dev, false, 1) == 40); // 2 + 2 * 20, in ticks of 4
    CHECK(one_sample(dev, false, 3) == 60); // 2 + 3 * 20
    CHECK(one_sample(dev, true, 3) == 72);  // 2 + 30 + 20 + 20: a flush is felt once
    ops->finish(dev);
    ops->close(dev);
}

static void noise_is_the_same_every_time_and_within_bounds(void)
{
    struct job job = fake_job(0);
    double first[100], least = 1e9, most = 0;
    fake_write("time 100\nnoise 0.01 7\n");
    struct device *dev = opened();
    for (int round = 0; round < 2; round++) {
        CHECK(prepare(dev, &job));
        for (int i = 0; i < 100; i++) {
            double us = one_sample(dev, false, 1);
            if (round == 0) first[i] = us;
            CHECK(us == first[i]);
            least = us < least ? us : least;
            most = us > most ? us : most;
        }
        ops->finish(dev);
    }
    CHECK(least >= 99 && least < 99.5 && most <= 101 && most > 100.5);
    ops->close(dev);
}

static void trace_has_every_call(void)
{
    struct job job = fake_job(0);
    fake_write("time 1\n");
    struct device *dev = opened();
    CHECK(prepare(dev, &job));
    one_sample(dev, true, 2);
    ops->finish(dev);
    ops->close(dev);
    char *trace = fake_traced();
    CHECK_TEXT(trace, "open\nprepare\nrestore\nflush\nbegin\nsubmit\nsubmit\nend\nwait\nfinish\n");
    free(trace);
}

int main(void)
{
    fake_begin();
    every_mistake_is_said_at_once_with_its_line();
    identity_is_what_the_file_says();
    times_are_arithmetic();
    noise_is_the_same_every_time_and_within_bounds();
    trace_has_every_call();
    fake_end();
    return test_end();
}
