// A device that does what a text file says (fake.h): it allocates, compiles and launches nothing; its
// times come from arithmetic, so a test knows them beforehand, and a trace of its calls shows what a measurement did in
// which order.
// SPDX-License-Identifier: MIT
#include "fake/fake.h"

#include "base/clock.h"
#include "base/doing.h"
#include "base/file.h"
#include "plan/job.h"
#include "spec/columns.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fake_device {
    struct arena *arena;
    struct fake_statements statements;
    struct device_identity id;
    int trace; // -1: none
    bool sticky, stained;
    unsigned in_context; // calls that FAKE_INTERRUPTS counts

    // Of the current point.
    const struct job *job;
    unsigned calls[CALL_any + 1]; // how many of each so far; `any`: all together
    size_t sample;                // from 0
    uint64_t noise_state, reported;
    double us; // of the sample being taken
    bool flushed;
    double rested; // seconds
};

static struct fake_device *own(struct device *handle) { return (struct fake_device *)handle; }

// The last statement of that kind that holds, or NULL.
static const struct fake_line *said(const struct fake_device *dev, enum fake_verb verb)
{
    for (size_t i = dev->statements.count; i-- > 0;)
        if (dev->statements.lines[i].verb == verb && fake_holds(&dev->statements.lines[i], dev->job))
            return &dev->statements.lines[i];
    return NULL;
}

static double number(const struct fake_device *dev, enum fake_verb verb, int i, double fallback)
{
    const struct fake_line *l = said(dev, verb);
    return l && i < l->number_count ? l->numbers[i] : fallback;
}

static _Noreturn void hang(void)
{
    for (;;) pause();
}

static void crash(void)
{
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

// Every call passes here: it is traced and counted, and fails where a statement says so.
static bool called(struct fake_device *dev, enum fake_call call, struct diags *d)
{
    bool good = true;
    if (dev->trace >= 0) {
        char line[32];
        int n = snprintf(line, sizeof line, "%s\n", fake_call_names[call]);
        if (write(dev->trace, line, (size_t)n) != n) return diag_system(d, NULL, "cannot write the trace");
    }
    dev->calls[call]++;
    dev->calls[CALL_any]++;
    const struct fake_line *ends = dev->job ? said(dev, FAKE_INTERRUPTS) : NULL;
    if (ends && ends->call == call && (double)dev->job->context == ends->numbers[1] &&
        ++dev->in_context == (unsigned)ends->numbers[0])
        kill(getppid(), SIGINT); // it runs in a process of its own, which that one waits for
    for (size_t i = 0; i < dev->statements.count; i++) {
        const struct fake_line *l = &dev->statements.lines[i];
        bool fits = l->number_count > 0 && (l->call == call || (l->call == CALL_any && call != CALL_open)) &&
            (unsigned)l->numbers[0] == dev->calls[l->call] && fake_holds(l, dev->job);
        if (!fits) continue;
        if (l->verb == FAKE_PRINT) printf("%s\n", l->text);
        if (l->verb == FAKE_HANG) hang();
        if (l->verb == FAKE_CRASH) crash();
        if (l->verb == FAKE_EXIT) _exit((int)l->numbers[1]);
        for (const double began = clock_thread(); l->verb == FAKE_WORKS && clock_thread() - began < l->numbers[1];) {}
        if (l->verb == FAKE_FAIL) good = diag_system(d, NULL, "%s", l->text);
    }
    return good;
}

static void copy_text(char *to, size_t size, const struct fake_line *l, const char *fallback)
{
    snprintf(to, size, "%s", l ? l->text : fallback);
}

static struct device *fake_open(const char *spec, struct diags *d)
{
    const char *path = strncmp(spec, "script:", 7) == 0 ? spec + 7 : spec;
    char *text = file_read(path, 1 << 20, NULL, d);
    if (!text) return NULL;
    struct fake_device *dev = mem_alloc(sizeof *dev);
    dev->arena = arena_new();
    dev->trace = -1;
    bool good = fake_parse(path, text, dev->arena, &dev->statements, d);
    free(text);
    const char *trace = getenv("GPUEXP_FAKE_TRACE");
    if (good && trace && (dev->trace = open(trace, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) < 0)
        good = diag_system(d, NULL, "cannot write the trace %s", trace);
    if (good) good = called(dev, CALL_open, d);
    if (!good) {
        if (dev->trace >= 0) close(dev->trace);
        arena_free(dev->arena);
        free(dev);
        return NULL;
    }
    copy_text(dev->id.name, sizeof dev->id.name, said(dev, FAKE_NAME), "fake");
    copy_text(dev->id.identity, sizeof dev->id.identity, said(dev, FAKE_IDENTITY), dev->id.name);
    copy_text(dev->id.arch, sizeof dev->id.arch, said(dev, FAKE_ARCH), "");
    snprintf(dev->id.spec, sizeof dev->id.spec, "script:%.20s", path);
    dev->id.timed = !said(dev, FAKE_UNTIMED);
    dev->id.draws = said(dev, FAKE_DRAWS) != NULL;
    dev->id.places = said(dev, FAKE_PLACES) != NULL;
    dev->id.peak_gbps = number(dev, FAKE_PEAK, 0, NAN);
    dev->id.memory_total = dev->id.memory_free = (uint64_t)number(dev, FAKE_MEMORY, 0, 0);
    return (struct device *)dev;
}

static void fake_close(struct device *handle)
{
    struct fake_device *dev = own(handle);
    if (dev->trace >= 0) close(dev->trace);
    arena_free(dev->arena);
    free(dev);
}

// The i-th of the files that GPUEXP_SCRIPTS names, separated by commas, and that are there: a machine with such GPUs.
static int fake_listed(int i, char spec[DEVICE_SPEC])
{
    const char *list = getenv(device_fake.visible);
    int count = 0;
    for (size_t n; list && *list; list += n + (list[n] == ',')) {
        char path[DEVICE_SPEC - 8];
        n = strcspn(list, ",");
        snprintf(path, sizeof path, "%.*s", (int)n, list);
        if (access(path, R_OK) == 0 && count++ == i) snprintf(spec, DEVICE_SPEC, "script:%s", path);
    }
    return count;
}

static int fake_count(char why[256])
{
    char spec[DEVICE_SPEC];
    why[0] = '\0'; // without that variable only by name, never listed
    return fake_listed(-1, spec);
}

static void fake_spec(int i, char spec[DEVICE_SPEC])
{
    strcpy(spec, "script:none");
    fake_listed(i, spec);
}

static bool fake_form(const char *rest) { return rest && *rest; } // a path

static void fake_identity(struct device *handle, struct device_identity *id) { *id = own(handle)->id; }

static size_t fake_facts(struct device *handle, struct arena *a, struct device_fact **facts)
{
    struct fake_device *dev = own(handle);
    *facts = arena_alloc(a, (2 + dev->statements.count) * sizeof **facts);
    (*facts)[0] =
        (struct device_fact){"statements", "", "that its file makes", value_int((int64_t)dev->statements.count)};
    (*facts)[1] = (struct device_fact){"time", "us", "one run of the work", value_real(number(dev, FAKE_TIME, 0, 100))};
    return fake_told(&dev->statements, a, *facts, 2);
}

static void fake_unfit(struct device *handle, const struct job *job, char why[256])
{
    struct fake_device *dev = own(handle);
    dev->job = job;
    copy_text(why, 256, said(dev, FAKE_UNFIT), "");
    dev->job = NULL;
}

static void fake_limits(struct device *handle, struct device_limits *l)
{
    const struct device_identity *id = &own(handle)->id;
    *l = (struct device_limits){.memory_of = "its file", .memory = id->memory_total};
    copy_text(l->of, sizeof l->of, NULL, id->name);
    copy_text(l->arch, sizeof l->arch, NULL, id->arch);
}

static bool fake_prepare(struct device *handle, const struct job *job, double *columns, bool *skip, struct diags *d)
{
    struct fake_device *dev = own(handle);
    dev->job = job;
    dev->sample = 0;
    dev->sticky = false;
    dev->rested = 0;
    memset(dev->calls, 0, sizeof dev->calls);
    dev->noise_state = (uint64_t)number(dev, FAKE_NOISE, 1, 1) + (dev->id.draws ? 7919 * job->context : 0);
    const struct fake_line *no = said(dev, FAKE_SKIP), *warning = said(dev, FAKE_WARN);
    if (!called(dev, CALL_prepare, d)) return false;
    if ((*skip = no != NULL)) return diag_system(d, NULL, "%s", no->text);
    if (warning) diag_add(d, DIAG_WARNING, (struct where){0}, NULL, "%s", warning->text);
    for (size_t i = 0; i < dev->statements.count; i++) {
        const struct fake_line *l = &dev->statements.lines[i];
        if (l->verb == FAKE_FACT && l->column >= 0 && fake_holds(l, job)) columns[l->column] = l->numbers[0];
    }
    return true;
}

static bool fake_verify(struct device *handle, struct result_check *v, struct diags *d)
{
    struct fake_device *dev = own(handle);
    *v = (struct result_check){.verified = !said(dev, FAKE_UNCHECKED)};
    v->wrong = (uint64_t)number(dev, FAKE_WRONG, 0, 0);
    v->first = (uint64_t)number(dev, FAKE_WRONG, 1, 0);
    v->of_spoiled.taken = (uint64_t)number(dev, FAKE_TAKES, 0, 0);
    v->of_spoiled.asked = (uint64_t)number(dev, FAKE_TAKES, 1, 0);
    v->checked = v->verified ? (uint64_t)number(dev, FAKE_WRONG, 2, 1024) : 0;
    const double changed = number(dev, FAKE_CHANGES, 0, -1);
    if (changed >= 0 && changed < (double)dev->job->buffer_count) v->changed = dev->job->buffers[(size_t)changed].name;
    v->changed_at = number(dev, FAKE_CHANGES, 1, 0) < 0 ? UINT64_MAX : (uint64_t)number(dev, FAKE_CHANGES, 1, 0);
    return called(dev, CALL_verify, d);
}

static bool fake_renew(struct device *handle, uint64_t seed, const struct device_look *look, enum device_inputs *inputs,
    struct diags *d)
{
    struct fake_device *dev = own(handle);
    (void)look;
    *inputs = seed && !said(dev, FAKE_UNVARIED) ? INPUTS_OTHER : INPUTS_SAME;
    return called(dev, CALL_renew, d);
}

// Is that sample of the point, from 1, one that does not do its work?
static bool lies(const struct fake_device *dev, uint64_t sample)
{
    return (double)sample >= number(dev, FAKE_LIES, 0, INFINITY) && (double)sample <= number(dev, FAKE_LIES, 1, 0);
}

static bool fake_check(struct device *handle, const struct device_look *look, struct result_check *v, struct diags *d)
{
    struct fake_device *dev = own(handle);
    const double seconds = number(dev, FAKE_CHECKS, 0, 0);
    (void)look;
    if (seconds > 0) usleep((useconds_t)(1e6 * seconds));
    *v = (struct result_check){.verified = true,
        .wrong = (uint64_t)number(dev, FAKE_LATER, 0, 0),
        .first = (uint64_t)number(dev, FAKE_LATER, 1, 0),
        .checked = (uint64_t)number(dev, FAKE_LATER, 2, 1024)};
    if (lies(dev, dev->sample)) v->wrong = v->checked;
    return called(dev, CALL_check, d);
}

static bool fake_count_accesses(struct device *handle, double *columns, char source[16], struct diags *d)
{
    struct fake_device *dev = own(handle);
    const struct fake_line *none = said(dev, FAKE_COUNT);
    if (!called(dev, CALL_count, d)) return false;
    if (none && none->column < 0) return diag_system(d, NULL, "its file says that nothing can be counted");
    for (size_t i = 0; i < dev->statements.count; i++) {
        const struct fake_line *l = &dev->statements.lines[i];
        if (l->verb == FAKE_COUNT && l->column >= 0 && fake_holds(l, dev->job)) columns[l->column] = l->numbers[0];
    }
    snprintf(source, 16, "%s", dev->id.timed ? "hardware" : "sim");
    return true;
}

static bool fake_restore(struct device *handle, struct diags *d)
{
    struct fake_device *dev = own(handle);
    const double seconds = number(dev, FAKE_RESTORES, 0, 0);
    if (seconds > 0) usleep((useconds_t)(1e6 * seconds));
    return called(dev, CALL_restore, d);
}

static bool fake_flush(struct device *handle, struct diags *d)
{
    struct fake_device *dev = own(handle);
    dev->flushed = true;
    return called(dev, CALL_flush, d);
}

// What the context of the current job drew, and the place in it.
static double drawn(const struct fake_device *dev)
{
    const uint64_t context = dev->job->context + 1, place = dev->calls[CALL_move] + 1;
    const uint64_t of = (uint64_t)number(dev, FAKE_PLACES, 1, 1) * 2000003 + 1009 * context + place;
    return number(dev, FAKE_DRAWS, 0, 0) * fake_drawn((uint64_t)number(dev, FAKE_DRAWS, 1, 1) * 1000003 + context) +
        number(dev, FAKE_PLACES, 0, 0) * fake_drawn(of);
}

static bool fake_move(struct device *handle, struct diags *d) { return called(own(handle), CALL_move, d); }

static bool fake_stir(struct device *handle, double wait_us, unsigned launches, struct diags *d)
{
    (void)wait_us, (void)launches; // its time is arithmetic
    return called(own(handle), CALL_stir, d);
}

static bool fake_rest(struct device *handle, double seconds, struct diags *d)
{
    struct fake_device *dev = own(handle);
    dev->rested += seconds; // its time is arithmetic
    return called(dev, CALL_rest, d);
}

static bool fake_begin(struct device *handle, struct diags *d)
{
    struct fake_device *dev = own(handle);
    dev->us = number(dev, FAKE_OVERHEAD, 0, 0) + drawn(dev);
    return called(dev, CALL_begin, d);
}

static bool fake_submit(struct device *handle, struct diags *d)
{
    struct fake_device *dev = own(handle);
    double us = number(dev, FAKE_TIME, 0, 100);
    if (dev->flushed) us = number(dev, FAKE_COLD, 0, us);
    dev->flushed = false;
    dev->noise_state = dev->noise_state * 6364136223846793005u + 1442695040888963407u;
    us *= 1 + number(dev, FAKE_NOISE, 0, 0) * ((double)(dev->noise_state >> 33) / 0x1p30 - 1);
    us *= 1 + number(dev, FAKE_DRIFT, 0, 0) * (double)dev->sample;
    if ((double)dev->sample < number(dev, FAKE_TRANSIENT, 0, 0)) us *= number(dev, FAKE_TRANSIENT, 1, 1);
    if (lies(dev, dev->sample + 1)) us *= number(dev, FAKE_LIES, 2, 1);
    dev->us += us;
    if (!dev->job->stepwise) return called(dev, CALL_submit, d);
    for (size_t i = 0; i < job_launches(dev->job); i++) {
        doing(DOING_OTHER, "running launch %zu of %zu, `%s`", i + 1, job_launches(dev->job),
            job_launch(dev->job, i).entry);
        if (!called(dev, CALL_submit, d)) return false;
    }
    return true;
}

static bool fake_end(struct device *handle, struct diags *d) { return called(own(handle), CALL_end, d); }

static bool fake_wait(struct device *handle, struct sample *s, struct diags *d)
{
    struct fake_device *dev = own(handle);
    double tick = number(dev, FAKE_TICK, 0, 0);
    const struct fake_line *throttle = said(dev, FAKE_THROTTLE);
    dev->sample++;
    s->us = tick > 0 ? floor(dev->us / tick) * tick : dev->us;
    s->clock_mhz = number(dev, FAKE_CLOCK, 0, NAN);
    s->throttled = throttle && (double)dev->sample >= throttle->numbers[0] &&
        (double)dev->sample <= throttle->numbers[1] && dev->rested < number(dev, FAKE_COOLS, 0, INFINITY);
    if (s->throttled) s->us *= 2, s->clock_mhz /= 2;
    return called(dev, CALL_wait, d);
}

static bool fake_reports(struct device *handle, double *values, struct diags *d)
{
    struct fake_device *dev = own(handle);
    for (size_t i = 0; i < dev->statements.count; i++) {
        const struct fake_line *l = &dev->statements.lines[i];
        if (l->verb != FAKE_REPORT || !fake_holds(l, dev->job)) continue;
        if (l->numbers[0] >= 0 && l->numbers[0] < (double)dev->job->report_count)
            values[(size_t)l->numbers[0]] = l->numbers[1] * (1 + l->numbers[2] * (double)(dev->reported++ % 11) / 10);
    }
    return called(dev, CALL_reports, d);
}

static void fake_finish(struct device *handle)
{
    struct fake_device *dev = own(handle);
    struct diags unheard = {0};
    called(dev, CALL_finish, &unheard);
    diags_clear(&unheard);
    dev->sticky = said(dev, FAKE_BROKEN) != NULL;
    dev->stained |= said(dev, FAKE_STAINS) != NULL;
    dev->job = NULL;
}

static bool fake_broken(struct device *handle) { return own(handle)->sticky; }

static bool fake_stale(struct device *handle, const struct job *job)
{
    struct fake_device *dev = own(handle);
    dev->job = job;
    const bool stains = said(dev, FAKE_STAINS) != NULL;
    dev->job = NULL;
    return dev->stained && !stains && job->does != DOES_COUNTS;
}

const struct device_ops device_fake = {
    .kind = "script",
    .visible = "GPUEXP_SCRIPTS",
    .spec = fake_spec,
    .form = fake_form,
    .count = fake_count,
    .open = fake_open,
    .close = fake_close,
    .identity = fake_identity,
    .facts = fake_facts,
    .unfit = fake_unfit,
    .limits = fake_limits,
    .prepare = fake_prepare,
    .verify = fake_verify,
    .renew = fake_renew,
    .check = fake_check,
    .count_accesses = fake_count_accesses,
    .restore = fake_restore,
    .flush = fake_flush,
    .stir = fake_stir,
    .move = fake_move,
    .rest = fake_rest,
    .begin = fake_begin,
    .submit = fake_submit,
    .end = fake_end,
    .wait = fake_wait,
    .reports = fake_reports,
    .finish = fake_finish,
    .broken = fake_broken,
    .stale = fake_stale,
};
