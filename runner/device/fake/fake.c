// A device that does what a script says (script.h): the null engine. It allocates, compiles and launches nothing; its
// times come from arithmetic, so a test knows them beforehand, and a trace of its calls shows what a measurement did in
// which order.
// SPDX-License-Identifier: MIT
#include "device/fake/fake.h"

#include "base/file.h"
#include "plan/job.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct device {
    struct arena *arena;
    struct fake_script script;
    struct device_identity id;
    int trace; // -1: none
    bool sticky, stained;

    // Of the point at hand.
    const struct job *job;
    unsigned calls[CALL_any + 1]; // how many of each so far; `any` in all
    size_t sample;                // from 0
    uint64_t noise_state;
    double us; // of the sample being taken
    bool flushed;
};

// Does the statement hold for this job? Without a job only those that hold always do.
static bool holds(const struct script_line *l, const struct job *job)
{
    struct value v = {0};
    struct str text = {0};
    if (!l->name) return true;
    if (!job) return false;
    for (size_t i = 0; i < job->scalar_count; i++)
        if (strcmp(job->scalars[i].name, l->name) == 0) v = job->scalars[i].value;
    for (size_t i = 0; i < job->constant_count; i++)
        if (strcmp(job->constants[i].name, l->name) == 0) v = job->constants[i].value;
    if (setting_find(l->name) >= 0) v = job->settings[setting_find(l->name)];
    if (strcmp(l->name, "kernel") == 0) v = value_text(job->kernel);
    value_print(v, &text);
    bool same = strcmp(text.text ? text.text : "", l->value) == 0;
    str_release(&text);
    return same;
}

// The last statement of that kind that holds, or NULL.
static const struct script_line *said(const struct device *dev, enum script_verb verb)
{
    for (size_t i = dev->script.count; i-- > 0;)
        if (dev->script.lines[i].verb == verb && holds(&dev->script.lines[i], dev->job)) return &dev->script.lines[i];
    return NULL;
}

static double number(const struct device *dev, enum script_verb verb, int i, double fallback)
{
    const struct script_line *l = said(dev, verb);
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

// Every call passes here: traced, counted, and made to go wrong where a statement says so.
static bool called(struct device *dev, enum script_call call, struct diags *d)
{
    bool good = true;
    if (dev->trace >= 0) {
        char line[32];
        int n = snprintf(line, sizeof line, "%s\n", script_call_names[call]);
        if (write(dev->trace, line, (size_t)n) != n) return diag_system(d, NULL, "cannot write the trace");
    }
    dev->calls[call]++;
    dev->calls[CALL_any]++;
    for (size_t i = 0; i < dev->script.count; i++) {
        const struct script_line *l = &dev->script.lines[i];
        bool fits = l->number_count > 0 && (l->call == call || (l->call == CALL_any && call != CALL_open)) &&
            (unsigned)l->numbers[0] == dev->calls[l->call] && holds(l, dev->job);
        if (!fits) continue;
        if (l->verb == SCRIPT_PRINT) printf("%s\n", l->text);
        if (l->verb == SCRIPT_HANG) hang();
        if (l->verb == SCRIPT_CRASH) crash();
        if (l->verb == SCRIPT_EXIT) _exit((int)l->numbers[1]);
        if (l->verb == SCRIPT_FAIL) good = diag_system(d, NULL, "%s", l->text);
    }
    return good;
}

static void copy_text(char *to, size_t size, const struct script_line *l, const char *fallback)
{
    snprintf(to, size, "%s", l ? l->text : fallback);
}

static struct device *script_open(const char *spec, struct diags *d)
{
    const char *path = strncmp(spec, "script:", 7) == 0 ? spec + 7 : spec;
    char *text = file_read(path, 1 << 20, NULL, d);
    if (!text) return NULL;
    struct device *dev = mem_alloc(sizeof *dev);
    dev->arena = arena_new();
    dev->trace = -1;
    bool good = script_parse(path, text, dev->arena, &dev->script, d);
    free(text);
    const struct script_line *trace = said(dev, SCRIPT_TRACE);
    if (good && trace && (dev->trace = open(trace->text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) < 0)
        good = diag_system(d, NULL, "cannot write the trace %s", trace->text);
    if (good) good = called(dev, CALL_open, d);
    if (!good) {
        if (dev->trace >= 0) close(dev->trace);
        arena_free(dev->arena);
        free(dev);
        return NULL;
    }
    copy_text(dev->id.name, sizeof dev->id.name, said(dev, SCRIPT_NAME), "scripted");
    copy_text(dev->id.identity, sizeof dev->id.identity, said(dev, SCRIPT_IDENTITY), dev->id.name);
    copy_text(dev->id.arch, sizeof dev->id.arch, said(dev, SCRIPT_ARCH), "");
    snprintf(dev->id.spec, sizeof dev->id.spec, "script:%.20s", path);
    dev->id.timed = !said(dev, SCRIPT_UNTIMED);
    dev->id.peak_gbps = number(dev, SCRIPT_PEAK, 0, NAN);
    dev->id.memory_total = dev->id.memory_free = (uint64_t)number(dev, SCRIPT_MEMORY, 0, 0);
    return dev;
}

static void script_close(struct device *dev)
{
    if (dev->trace >= 0) close(dev->trace);
    arena_free(dev->arena);
    free(dev);
}

static int script_count(char why[256])
{
    why[0] = '\0'; // for tests: asked for by name, not told of
    return 0;
}

static void script_identity(struct device *dev, struct device_identity *id) { *id = dev->id; }

static size_t script_facts(struct device *dev, struct arena *a, struct device_fact **facts)
{
    *facts = arena_alloc(a, 2 * sizeof **facts);
    (*facts)[0] = (struct device_fact){"statements", "", "of the script", value_int((int64_t)dev->script.count)};
    (*facts)[1] =
        (struct device_fact){"time", "us", "one run of the work", value_real(number(dev, SCRIPT_TIME, 0, 100))};
    return 2;
}

static void script_unfit(struct device *dev, const struct job *job, char why[256])
{
    dev->job = job;
    copy_text(why, 256, said(dev, SCRIPT_UNFIT), "");
    dev->job = NULL;
}

static bool script_prepare(struct device *dev, const struct job *job, double columns[COLUMN_COUNT], bool *skip,
    struct diags *d)
{
    dev->job = job;
    dev->sample = 0;
    dev->sticky = false;
    memset(dev->calls, 0, sizeof dev->calls);
    dev->noise_state = (uint64_t)number(dev, SCRIPT_NOISE, 1, 1);
    const struct script_line *no = said(dev, SCRIPT_SKIP), *warning = said(dev, SCRIPT_WARN);
    if (!called(dev, CALL_prepare, d)) return false;
    if ((*skip = no != NULL)) return diag_system(d, NULL, "%s", no->text);
    if (warning) diag_add(d, DIAG_WARNING, (struct where){0}, NULL, "%s", warning->text);
    for (size_t i = 0; i < dev->script.count; i++) {
        const struct script_line *l = &dev->script.lines[i];
        if (l->verb == SCRIPT_FACT && l->column >= 0 && holds(l, job)) columns[l->column] = l->numbers[0];
    }
    return true;
}

static bool script_verify(struct device *dev, struct verdict *v, struct diags *d)
{
    *v = (struct verdict){.verified = !said(dev, SCRIPT_UNCHECKED)};
    v->wrong = (uint64_t)number(dev, SCRIPT_WRONG, 0, 0);
    v->first = (uint64_t)number(dev, SCRIPT_WRONG, 1, 0);
    v->checked = v->verified ? (uint64_t)number(dev, SCRIPT_WRONG, 2, 1024) : 0;
    return called(dev, CALL_verify, d);
}

static bool script_count_accesses(struct device *dev, double columns[COLUMN_COUNT], char source[16], struct diags *d)
{
    const struct script_line *none = said(dev, SCRIPT_COUNT);
    if (!called(dev, CALL_count, d)) return false;
    if (none && none->column < 0) return diag_system(d, NULL, "the script says that nothing can be counted");
    for (size_t i = 0; i < dev->script.count; i++) {
        const struct script_line *l = &dev->script.lines[i];
        if (l->verb == SCRIPT_COUNT && l->column >= 0 && holds(l, dev->job)) columns[l->column] = l->numbers[0];
    }
    snprintf(source, 16, "%s", dev->id.timed ? "hardware" : "sim");
    return true;
}

static bool script_restore(struct device *dev, struct diags *d) { return called(dev, CALL_restore, d); }

static bool script_flush(struct device *dev, struct diags *d)
{
    dev->flushed = true;
    return called(dev, CALL_flush, d);
}

static bool script_begin(struct device *dev, struct diags *d)
{
    dev->us = number(dev, SCRIPT_OVERHEAD, 0, 0);
    return called(dev, CALL_begin, d);
}

static bool script_submit(struct device *dev, struct diags *d)
{
    double us = number(dev, SCRIPT_TIME, 0, 100);
    if (dev->flushed) us = number(dev, SCRIPT_COLD, 0, us);
    dev->flushed = false;
    dev->noise_state = dev->noise_state * 6364136223846793005u + 1442695040888963407u;
    us *= 1 + number(dev, SCRIPT_NOISE, 0, 0) * ((double)(dev->noise_state >> 33) / 0x1p30 - 1);
    us *= 1 + number(dev, SCRIPT_DRIFT, 0, 0) * (double)dev->sample;
    if ((double)dev->sample < number(dev, SCRIPT_TRANSIENT, 0, 0)) us *= number(dev, SCRIPT_TRANSIENT, 1, 1);
    dev->us += us;
    return called(dev, CALL_submit, d);
}

static bool script_end(struct device *dev, struct diags *d) { return called(dev, CALL_end, d); }

static bool script_wait(struct device *dev, struct sample *s, struct diags *d)
{
    double tick = number(dev, SCRIPT_TICK, 0, 0);
    const struct script_line *throttle = said(dev, SCRIPT_THROTTLE);
    dev->sample++;
    s->us = tick > 0 ? floor(dev->us / tick) * tick : dev->us;
    s->clock_mhz = number(dev, SCRIPT_CLOCK, 0, NAN);
    s->throttled =
        throttle && (double)dev->sample >= throttle->numbers[0] && (double)dev->sample <= throttle->numbers[1];
    if (s->throttled) {
        s->us *= 2;
        s->clock_mhz /= 2;
    }
    return called(dev, CALL_wait, d);
}

static bool script_reports(struct device *dev, double *values, struct diags *d)
{
    for (size_t i = 0; i < dev->script.count; i++) {
        const struct script_line *l = &dev->script.lines[i];
        if (l->verb != SCRIPT_REPORT || !holds(l, dev->job)) continue;
        if (l->numbers[0] >= 0 && l->numbers[0] < (double)dev->job->report_count)
            values[(size_t)l->numbers[0]] = l->numbers[1];
    }
    return called(dev, CALL_reports, d);
}

static void script_finish(struct device *dev)
{
    struct diags unheard = {0};
    called(dev, CALL_finish, &unheard);
    diags_clear(&unheard);
    dev->sticky = said(dev, SCRIPT_BROKEN) != NULL;
    dev->stained |= said(dev, SCRIPT_STAINS) != NULL;
    dev->job = NULL;
}

static bool script_broken(struct device *dev) { return dev->sticky; }

static bool script_stale(struct device *dev, const struct job *job)
{
    dev->job = job;
    const bool stains = said(dev, SCRIPT_STAINS) != NULL;
    dev->job = NULL;
    return dev->stained && !stains;
}

const struct device_ops device_script = {
    .kind = "script",
    .count = script_count,
    .open = script_open,
    .close = script_close,
    .identity = script_identity,
    .facts = script_facts,
    .unfit = script_unfit,
    .prepare = script_prepare,
    .verify = script_verify,
    .count_accesses = script_count_accesses,
    .restore = script_restore,
    .flush = script_flush,
    .begin = script_begin,
    .submit = script_submit,
    .end = script_end,
    .wait = script_wait,
    .reports = script_reports,
    .finish = script_finish,
    .broken = script_broken,
    .stale = script_stale,
};
