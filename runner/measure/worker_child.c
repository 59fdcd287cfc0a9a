// The worker's own process: opens the device, sends its identity, and measures one job after another until the parent
// closes the connection. A second thread reads from the parent, so that sources are compiled ahead while the main
// thread measures; all calls on the device come from the main thread.
// SPDX-License-Identifier: MIT
#include "measure/worker.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/doing.h"
#include "base/file.h"
#include "base/machine.h"
#include "measure/measure.h"
#include "measure/result.h"
#include "measure/wire.h"
#include "plan/asks.h"
#include "spec/columns.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LINK = 3, AHEAD_THREADS = 4 };

struct child {
    struct device_identity id;
    char spec[DEVICE_SPEC];
    bool used; // a job was measured here
    unsigned context;
    struct compile_ahead *ahead;
    char arch[16];          // what a point's code is asked for: else what is compiled ahead is compiled twice
    uint64_t last_ahead[2]; // hash of the last source compiled ahead: a sweep over arguments has one for many jobs

    pthread_mutex_t lock;
    pthread_cond_t more;
    char *job; // from the reader for the main thread; the reader waits until it is taken
    size_t job_bytes;
    bool ended; // the parent has closed the connection
};

// The parent decides what a signal means: it tells, or kills. Whatever it has handlers for is nothing here; those that
// ask to stop are blocked (base/child.h) and stay so.
static void reset_signals(void)
{
    for (int s = 1; s < NSIG; s++) signal(s, SIG_DFL);
    clock_notice_stops();
}

// Only 0 to 3 stay open: a lock on a report or a pipe to another worker must not stay open here.
static void close_others(void)
{
    DIR *d = opendir("/proc/self/fd");
    for (struct dirent *e; d && (e = readdir(d));) {
        int fd = atoi(e->d_name);
        if (fd > LINK && fd != dirfd(d)) close(fd);
    }
    if (d) closedir(d);
}

static void take_descriptors(int link, int err)
{
    int nothing = open("/dev/null", O_RDONLY);
    link = fcntl(link, F_DUPFD, 16);
    err = fcntl(err, F_DUPFD, 16);
    dup2(nothing, 0);
    dup2(err, 1); // a kernel's printf goes there
    dup2(err, 2);
    dup2(link, LINK);
    fcntl(LINK, F_SETFD, FD_CLOEXEC);
    close_others();
    setvbuf(stdout, NULL, _IOLBF, 0); // the last output must not be lost in a buffer
}

static bool send_frame(enum wire_kind kind, const struct str *payload)
{
    LOCAL(str_release) struct str frame = {0};
    wire_frame(&frame, kind, payload->text, payload->size);
    return child_send(LINK, frame.text, frame.size);
}

static bool receive_frame(enum wire_kind *kind, char **payload, size_t *size)
{
    char head[WIRE_HEAD];
    if (file_get(LINK, head, sizeof head) != sizeof head || !wire_head(head, kind, size)) return false;
    *payload = mem_alloc(*size);
    if (file_get(LINK, *payload, *size) == *size) return true;
    free(*payload);
    return false;
}

static void compile_ahead(struct child *c, const char *payload, size_t size)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct diags unsaid = {0}; // mistakes are reported when the job itself is measured
    struct job job;
    if (c->ahead && wire_read_job(payload, size, a, &job)) {
        struct compile_options o = {*c->arch ? c->arch : NULL, (int)asks_whole(&job, SETTING_MAXREGS, 0)};
        char *source = compile_source(&job, &unsaid);
        uint64_t hash[2] = {0};
        struct hash h;
        hash_init(&h);
        hash_text(&h, source);
        hash_u64(&h, (uint64_t)o.maxregs);
        hash_final(h, hash);
        if (source && memcmp(hash, c->last_ahead, sizeof hash) != 0) compile_ahead_add(c->ahead, source, job.path, &o);
        else free(source);
        memcpy(c->last_ahead, hash, sizeof hash);
    }
    diags_clear(&unsaid);
}

static void *read_parent(void *context)
{
    struct child *c = context;
    enum wire_kind kind;
    char *payload;
    size_t size;
    while (receive_frame(&kind, &payload, &size)) {
        if (kind == WIRE_JOB) {
            pthread_mutex_lock(&c->lock);
            while (c->job) pthread_cond_wait(&c->more, &c->lock);
            c->job = payload;
            c->job_bytes = size;
            pthread_cond_broadcast(&c->more);
            pthread_mutex_unlock(&c->lock);
        } else {
            if (kind == WIRE_AHEAD) compile_ahead(c, payload, size);
            free(payload);
        }
    }
    pthread_mutex_lock(&c->lock);
    c->ended = true;
    pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

static bool next_job(struct child *c, char **payload, size_t *size)
{
    pthread_mutex_lock(&c->lock);
    while (!c->job && !c->ended) pthread_cond_wait(&c->more, &c->lock);
    *payload = c->job;
    *size = c->job_bytes;
    c->job = NULL;
    pthread_cond_broadcast(&c->more);
    pthread_mutex_unlock(&c->lock);
    return *payload != NULL;
}

// Gives the job a context of its own, where the last one was another's: closing the device gives up everything that was
// drawn with it. False: the device does not open again.
static bool renew(struct child *c, const struct device_ops *ops, struct device **dev, const struct job *job)
{
    struct diags unsaid = {0}; // a fresh process will find the same, and say it
    bool other = c->id.draws && c->used && job->context != c->context;
    c->used = true;
    c->context = job->context;
    if (!other) return true;
    ops->close(*dev);
    *dev = ops->open(c->spec, &unsaid);
    diags_clear(&unsaid);
    return *dev;
}

// False: not here, an earlier job has left what this one would feel.
static bool measure(struct child *c, const struct device_ops *ops, struct device **dev, const char *payload,
    size_t size, struct result *r, struct str *taken)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    struct job job;
    bool here = true;
    if (!wire_read_job(payload, size, a, &job)) {
        result_init(r);
        why_note(&r->why, UNREAD);
    } else if (!renew(c, ops, dev, &job) || (ops->stale && ops->stale(*dev, &job))) {
        here = false;
    } else {
        measure_point(ops, *dev, &job, r, taken);
    }
    return here;
}

// Before the result: what each launch of a sequence counted, COLUMN_COUNT numbers a launch.
static void send_launches(const struct device_ops *ops, struct device *dev, const struct result *r)
{
    double columns[COLUMN_COUNT];
    struct str out = {0};
    if (!ops->count_launch || !status_has_numbers(r->status) || !*r->counts) return;
    for (size_t i = 0;; i++) {
        for (int c = 0; c < COLUMN_COUNT; c++) columns[c] = NAN;
        if (!ops->count_launch(dev, i, columns)) break;
        str_add_bytes(&out, (const char *)columns, sizeof columns);
    }
    if (out.size) send_frame(WIRE_LAUNCHES, &out);
    str_release(&out);
}

// Gives the device as it is at the end: a context may have followed a context.
static struct device *work(struct child *c, const struct device_ops *ops, struct device *dev)
{
    char *payload;
    size_t size;
    while (next_job(c, &payload, &size)) {
        struct str out = {0}, taken = {0};
        struct result r;
        bool here = measure(c, ops, &dev, payload, size, &r, &taken);
        free(payload);
        fflush(stdout);
        if (!here) {
            if (dev) ops->close(dev); // before it is said: the next process must find the device free
            send_frame(WIRE_AGAIN, &out);
            _exit(0);
        }
        // An error that stays in the context would fail every later point: a new process has a new context.
        bool last = r.status == STATUS_FAILED && (!ops->broken || ops->broken(dev));
        send_launches(ops, dev, &r);
        if (taken.size) send_frame(WIRE_SAMPLES, &taken);
        str_release(&taken);
        wire_write_result(&out, &r);
        bool sent = send_frame(last ? WIRE_LAST_RESULT : WIRE_RESULT, &out);
        str_release(&out);
        if (last) _exit(0); // the device is not closed: it may not answer
        if (!sent) break;
    }
    return dev;
}

// The first error, its sentence and its hint, as the two texts of an error frame.
static void send_error(const struct diags *d)
{
    LOCAL(str_release) struct str out = {0};
    const char *hint = "";
    for (size_t i = 0; i < d->count && !*hint; i++)
        if (d->items[i].kind != DIAG_WARNING && d->items[i].hint) hint = d->items[i].hint;
    str_add_bytes(&out, diags_first(d), strlen(diags_first(d)) + 1);
    str_add_bytes(&out, hint, strlen(hint) + 1);
    send_frame(WIRE_ERROR, &out);
}

// What lives in this machine's memory alone cannot take more than there is for it: an allocation fails, with a
// sentence, where else the kernel would end some process. (CUDA reserves more addresses than any limit; a sanitizer
// too.)
static void bound_memory(const struct device_ops *ops)
{
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    const rlim_t most = machine_memory();
    if (!ops->visible) setrlimit(RLIMIT_DATA, &(struct rlimit){most, most});
#else
    (void)ops;
#endif
}

_Noreturn void worker_child(const char *spec, int link, int err, char *page, pid_t parent)
{
    struct child c = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};
    struct diags d = {0};
    struct str out = {0};
    char resolved[DEVICE_SPEC], note[256];
    pthread_t reader;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);              // the parent died before that
    setpgid(0, 0);                                  // what it starts can be ended with it
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); // a crash is a row, not gigabytes of a core file
    reset_signals();
    take_descriptors(link, err);
    device_own_process();
    doing_write_to(page);
    const struct device_ops *ops = device_find(spec, resolved, note, &d);
    if (ops && ops->forms) compile_begin(); // a device for tests compiles nothing
    if (ops) bound_memory(ops);
    struct device *dev = ops ? ops->open(resolved, &d) : NULL;
    if (!dev) {
        send_error(&d);
        _exit(0);
    }
    ops->identity(dev, &c.id);
    memcpy(c.spec, resolved, sizeof c.spec);
    memcpy(c.id.note, note, sizeof c.id.note);
    if (c.id.arch[0] &&
        !compile_compiler(&d)) { // nothing can be measured: told once, before a report has a row for each point
        send_error(&d);
        ops->close(dev);
        _exit(0);
    }
    wire_write_identity(&out, &c.id);
    if (!send_frame(WIRE_IDENTITY, &out)) _exit(1);
    str_release(&out);
    if (c.id.arch[0]) {
        struct device_limits limits = {0};
        if (ops->limits) ops->limits(dev, &limits);
        memcpy(c.arch, limits.arch, sizeof c.arch);
        c.ahead = compile_ahead_new(AHEAD_THREADS);
    }
    if (pthread_create(&reader, NULL, read_parent, &c) != 0) _exit(1);
    dev = work(&c, ops, dev);
    pthread_join(reader, NULL);
    compile_ahead_free(c.ahead);
    ops->close(dev);
    fflush(stdout);
    _exit(0); // not exit: what the parent has registered or buffered is the parent's
}
