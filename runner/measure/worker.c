// The parent's side of a worker: starts the process, exchanges messages without ever waiting for it, and says how it
// ended.
// SPDX-License-Identifier: MIT
#include "measure/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/doing.h"
#include "base/machine.h"
#include "base/say.h"
#include "base/str.h"
#include "base/text.h"
#include "measure/result.h"
#include "measure/wire.h"
#include "plan/asks.h"

// How a worker ended, in one sentence for its row; and what it says until then.

// The last lines of what the process wrote, as one: " / " between, nothing that does not print.
static void last_words(const struct str *said, char text[200])
{
    const char *lines[3] = {0}, *start = said->text, *end = start ? start + said->size : NULL;
    size_t sizes[3] = {0}, count = 0, used = 0;
    while (end > start && count < 3) {
        while (end > start && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' ')) end--;
        const char *from = end;
        while (from > start && from[-1] != '\n') from--;
        if (used + (size_t)(end - from) > 180) {
            if (count) break;
            from = end - 180; // the end of a long line says more than nothing
        }
        if (from == end) break;
        lines[count] = from;
        sizes[count] = (size_t)(end - from);
        used += sizes[count++] + 3;
        end = from;
    }
    text[0] = '\0';
    for (size_t i = count, at = 0; i-- > 0;) {
        at += (size_t)snprintf(text + at, 200 - at, "%s%.*s", at ? " / " : "", (int)sizes[i], lines[i]);
        if (at >= 199) break;
    }
    text_clean(text, true);
}

static const char *signal_name(int s)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV (a segmentation fault)"}, {SIGABRT, "SIGABRT (an abort)"},
        {SIGBUS, "SIGBUS (a bus error)"}, {SIGFPE, "SIGFPE (an arithmetic exception)"},
        {SIGILL, "SIGILL (an illegal instruction)"},
        {SIGKILL, "SIGKILL (killed from outside: has the machine run out of memory?)"}, {SIGTERM, "SIGTERM"},
        {SIGSYS, "SIGSYS"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == s) return names[i].name;
    return NULL;
}

// From its wait status and the last of what it wrote: "the worker died of SIGSEGV (a segmentation fault): <last
// lines>".
static void worker_words(int status, const struct str *said, char *text, size_t room)
{
    char words[200];
    int s = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const char *name = s ? signal_name(s) : NULL;
    last_words(said, words);
    if (name) snprintf(text, room, "the worker died of %s", name);
    else if (s) snprintf(text, room, "the worker died of signal %d", s);
    else snprintf(text, room, "the worker ended with exit status %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    size_t n = strlen(text);
    if (words[0]) snprintf(text + n, room - n, ": %s", words);
}

// A kernel may print more than anybody reads: so much of a point is shown. `shown`: bytes of it so far.
static void worker_show(const char *text, size_t size, size_t *shown)
{
    enum { MOST = 64 << 10 };
    const size_t room = MOST > *shown ? MOST - *shown : 0;
    say_bytes(stderr, text, size < room ? size : room);
    if (*shown <= MOST && *shown + size > MOST)
        say(stderr, "\n[the point prints more than %d KiB: the rest is not shown]\n", MOST >> 10);
    *shown += size;
}

// Why its device does not open, as two texts: a sentence, and a hint. False.
static bool worker_complaint(const struct str *payload, struct diags *d)
{
    const char *what = payload->text, *hint = what ? memchr(what, '\0', payload->size) : NULL;
    hint = hint && hint + 1 < what + payload->size ? hint + 1 : "";
    return diag_system(d, *hint ? hint : NULL, "%s", what && *what ? what : "the device cannot be opened");
}

enum {
    OPEN_SECONDS = 120, // a machine with eight GPUs may take half a minute
    LEAVE_SECONDS = 5,  // to close the device in order, and to die when killed
    WORDS = 2048,       // of what it said last are kept
    AHEAD_MOST = 32 << 20
};

struct worker {
    char spec[DEVICE_SPEC];
    pid_t pid;            // 0: none
    int link, err, epoll; // the socket, the child's stdout and stderr, both in one to poll
    struct str in, out;   // bytes received that are no whole frame yet; bytes not sent yet
    struct str words;     // what it wrote last
    size_t shown;         // bytes of it, for the current job
    struct str job;       // the frame of the current job, for a fresh process to take
    struct str launches;  // what the launches of the current job counted
    struct str samples;   // and the samples that were taken of it
    char *doing;          // what the process says that it does; shared with it
    struct device_identity id;
    bool known;     // id is
    bool greeted;   // the process that runs has sent it
    size_t started; // processes, one after the other
    bool busy, waits_to_send;
    bool stopped;                 // by SIGSTOP, Ctrl-Z or SLURM, until it is continued
    double timeout, left, looked; // seconds; what is left of it, as of then
    double passed;                // of the job, in which the worker was not stopped
    struct turns turns;           // what it had of the processors in that time
    double counted;               // when they were looked at last
    double until;                 // when it must have opened its device
};

struct worker *worker_new(const char *spec)
{
    struct worker *w = mem_alloc(sizeof *w);
    snprintf(w->spec, sizeof w->spec, "%s", spec);
    w->link = w->err = w->epoll = -1;
    w->doing = doing_page();
    return w;
}

const struct device_identity *worker_identity(const struct worker *w) { return &w->id; }
int worker_fd(const struct worker *w) { return w->epoll; }

// A result may have been read already while something was sent: then nothing more comes that poll(2) could see.
double worker_time_left(const struct worker *w)
{
    enum wire_kind kind;
    size_t size;
    bool broken = false;
    if (!w->busy) return INFINITY;
    return w->in.size && (wire_framed(w->in.text, w->in.size, &kind, &size, &broken) || broken) ? 0 : w->left;
}

// Counts the time in which the worker could run, for `timeout`: not the time in which it, or this process, was stopped,
// nor what it waited for a processor. (This process looks several times a second.)
static void count_time(struct worker *w)
{
    const double most = 1, t = clock_seconds(), passed = t - w->looked;
    siginfo_t info = {0};
    while (w->pid && waitid(P_PID, (id_t)w->pid, &info, WSTOPPED | WCONTINUED | WNOHANG) == 0 && info.si_pid) {
        w->stopped = info.si_code == CLD_STOPPED;
        info = (siginfo_t){0};
    }
    w->looked = t;
    if (w->stopped) return;
    w->passed += passed < most ? passed : most;
    if (w->pid && (t - w->counted >= 1 || w->timeout <= w->passed)) {
        turns_look(&w->turns, w->pid);
        w->counted = t;
    }
    // It may have slept, too: no more is taken off than it can have waited.
    const double waited = w->passed * (1 - turns_share(&w->turns));
    w->left = w->timeout - w->passed + (waited < w->turns.waited ? waited : w->turns.waited);
}

static void close_one(int *fd)
{
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

static void watch(struct worker *w, int fd, uint32_t events, int op)
{
    struct epoll_event e = {.events = events, .data.fd = fd};
    epoll_ctl(w->epoll, op, fd, &e);
}

// What the worker wrote goes to the user, and its end is kept for the day it dies. False: nothing more can come.
static bool hear(struct worker *w)
{
    char text[4096];
    ssize_t n;
    while (w->err >= 0 && (n = read(w->err, text, sizeof text)) != 0) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EAGAIN;
        worker_show(text, (size_t)n, &w->shown);
        str_add_bytes(&w->words, text, (size_t)n);
        if (w->words.size > WORDS) {
            size_t cut = w->words.size - WORDS;
            memmove(w->words.text, w->words.text + cut, WORDS + 1);
            w->words.size = WORDS;
        }
    }
    return false;
}

// Sends and receives what is possible without waiting. False: the worker has closed its end.
static bool talk(struct worker *w)
{
    char bytes[65536];
    size_t sent = 0;
    bool alive = true;
    ssize_t n;
    if (w->err >= 0 && !hear(w)) close_one(&w->err); // which takes it out of the epoll set
    while (sent < w->out.size) {
        n = send(w->link, w->out.text + sent, w->out.size - sent, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) break; // full or dead: reading shows which
        sent += (size_t)n;
    }
    if (sent) {
        memmove(w->out.text, w->out.text + sent, w->out.size - sent + 1);
        w->out.size -= sent;
    }
    if (w->waits_to_send != (w->out.size > 0)) {
        w->waits_to_send = w->out.size > 0;
        watch(w, w->link, EPOLLIN | (w->waits_to_send ? EPOLLOUT : 0), EPOLL_CTL_MOD);
    }
    while ((n = recv(w->link, bytes, sizeof bytes, 0)) != 0) {
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            alive = errno == EAGAIN;
            break;
        }
        str_add_bytes(&w->in, bytes, (size_t)n);
    }
    return alive && n != 0;
}

// Waits up to `seconds` for the process to end; true, with its status, when it has.
static bool gone(struct worker *w, double seconds, int *status)
{
    double until = clock_seconds() + seconds;
    for (;;) {
        pid_t p = waitpid(w->pid, status, WNOHANG);
        if (p == w->pid || (p < 0 && errno != EINTR)) return true;
        if (clock_seconds() >= until) return false;
        hear(w); // it may wait for its output to be read
        poll(NULL, 0, 1);
    }
}

// Ends the process and all that it has started; returns its wait status.
static int reap(struct worker *w, double patience)
{
    int status = 0;
    shutdown(w->link, SHUT_WR);
    if (!gone(w, patience, &status)) {
        kill(w->pid, SIGKILL);
        gone(w, LEAVE_SECONDS, &status); // one that hangs in the driver is left behind
    }
    kill(-w->pid, SIGKILL); // what it started and did not end
    hear(w);
    close_one(&w->link);
    close_one(&w->err);
    close_one(&w->epoll);
    str_clear(&w->in), str_clear(&w->out);
    w->pid = 0;
    w->busy = w->stopped = w->waits_to_send = w->greeted = false;
    return status;
}

void worker_leave(struct worker *w)
{
    if (w->pid && w->greeted && !w->busy) shutdown(w->link, SHUT_WR); // an idle one closes its device and leaves
}

void worker_free(struct worker *w)
{
    if (!w) return;
    if (w->pid && (w->busy || !w->greeted)) kill(w->pid, SIGKILL);
    if (w->pid) reap(w, LEAVE_SECONDS);
    str_release(&w->in);
    str_release(&w->out);
    str_release(&w->words);
    str_release(&w->job), str_release(&w->launches), str_release(&w->samples);
    doing_page_free(w->doing);
    free(w);
}

static bool spawn(struct worker *w, struct diags *d)
{
    int link[2] = {-1, -1}, err[2] = {-1, -1};
    pid_t parent = getpid();
    sigset_t before;
    str_clear(&w->words);
    w->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (w->epoll < 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, link) != 0 || pipe2(err, O_CLOEXEC) != 0)
        goto fail;
    fflush(NULL); // or both processes would write what waits in the buffers
    apart_hold_signals(&before);
    w->pid = fork();
    if (w->pid == 0) worker_child(w->spec, link[1], err[1], w->doing, parent);
    apart_free_signals(&before);
    if (w->pid < 0) goto fail;
    w->started++;
    setpgid(w->pid, w->pid); // the child does it too: it holds from whichever is first
    close(link[1]);
    close(err[1]);
    w->until = clock_seconds() + OPEN_SECONDS;
    w->link = link[0];
    w->err = err[0];
    fcntl(w->link, F_SETFL, O_NONBLOCK);
    fcntl(w->err, F_SETFL, O_NONBLOCK);
    watch(w, w->link, EPOLLIN, EPOLL_CTL_ADD);
    watch(w, w->err, EPOLLIN, EPOLL_CTL_ADD);
    return true;
fail:
    diag_system(d, NULL, "cannot start a worker process: %s", strerror(errno));
    w->pid = 0;
    for (int i = 0; i < 2; i++) {
        close_one(&link[i]);
        close_one(&err[i]);
    }
    close_one(&w->epoll);
    return false;
}

// The next frame, taken out of `in`: its payload is moved to `payload`. `broken`: it is not a frame.
// What launches counted, and the samples, are kept aside.
static bool take_frame(struct worker *w, enum wire_kind *kind, struct str *payload, bool *broken)
{
    size_t size;
    *broken = false;
    if (!w->in.size || !wire_framed(w->in.text, w->in.size, kind, &size, broken)) return false;
    struct str *to = *kind == WIRE_LAUNCHES ? &w->launches : *kind == WIRE_SAMPLES ? &w->samples : payload;
    str_clear(to), str_add_bytes(to, w->in.text + WIRE_HEAD, size);
    memmove(w->in.text, w->in.text + WIRE_HEAD + size, w->in.size - WIRE_HEAD - size + 1);
    w->in.size -= WIRE_HEAD + size;
    return to == payload || take_frame(w, kind, payload, broken);
}

static bool greet(struct worker *w, const struct str *payload, struct diags *d)
{
    struct device_identity id;
    if (!wire_read_identity(payload->text, payload->size, &id))
        return diag_system(d, NULL, "the worker's first message cannot be understood");
    // The identity is part of every key: another device measures other rows.
    if (w->known && strcmp(id.identity, w->id.identity) != 0)
        return diag_system(d, NULL, "device `%s` was %s and is now %s", w->spec, w->id.identity, id.identity);
    w->id = id;
    w->known = true;
    if (!device_kind(w->spec)) snprintf(w->spec, sizeof w->spec, "%s", id.spec); // `auto` stays what it was
    return true;
}

// The device's identity, or why there is none.
int worker_opened(struct worker *w, struct diags *d)
{
    struct str payload = {0};
    enum wire_kind kind;
    char end[320];
    if (w->greeted) return 1;
    bool broken = false, alive = talk(w);
    if (take_frame(w, &kind, &payload, &broken)) {
        if (kind == WIRE_IDENTITY) w->greeted = greet(w, &payload, d);
        else if (kind == WIRE_ERROR) worker_complaint(&payload, d);
        else diag_system(d, NULL, "the worker's first message cannot be understood");
        str_release(&payload);
        if (!w->greeted) reap(w, LEAVE_SECONDS);
        return w->greeted ? 1 : -1;
    }
    const bool late = alive && !broken;
    if (late && clock_seconds() < w->until) return 0;
    worker_words(reap(w, late || broken ? 0 : LEAVE_SECONDS), &w->words, end, sizeof end);
    if (late) diag_system(d, NULL, "device `%s` did not open within %d s", w->spec, OPEN_SECONDS);
    else diag_system(d, NULL, "device `%s` cannot be opened: %s", w->spec, end);
    return -1;
}

static bool await_identity(struct worker *w, struct diags *d)
{
    int opened;
    while ((opened = worker_opened(w, d)) == 0) poll(&(struct pollfd){.fd = w->epoll, .events = POLLIN}, 1, 1000);
    return opened > 0;
}

bool worker_begin(struct worker *w, struct diags *d) { return w->pid || spawn(w, d); }

bool worker_start(struct worker *w, struct diags *d)
{
    if (w->greeted && !w->busy && !talk(w)) reap(w, LEAVE_SECONDS); // died while idle: nothing was lost
    return worker_begin(w, d) && (w->greeted || await_identity(w, d));
}

static void frame_job(struct str *to, enum wire_kind kind, const struct job *job)
{
    LOCAL(str_release) struct str payload = {0};
    wire_write_job(&payload, job);
    wire_frame(to, kind, payload.text, payload.size);
}

static void send_job(struct worker *w)
{
    str_add_bytes(&w->out, w->job.text, w->job.size);
    w->busy = true;
    w->left = w->timeout;
    w->looked = w->counted = clock_seconds(), str_clear(&w->launches), str_clear(&w->samples);
    w->passed = 0;
    turns_begin(&w->turns, w->pid);
    doing_nothing(w->doing);
    talk(w); // if it dies right now, worker_collect says so
}

bool worker_give(struct worker *w, const struct job *job, struct diags *d)
{
    if (w->busy) return diag_system(d, NULL, "the worker has a job already");
    if (!worker_start(w, d)) return false;
    w->timeout = asks_timeout(job);
    str_clear(&w->words);
    w->shown = 0;
    str_clear(&w->job);
    frame_job(&w->job, WIRE_JOB, job);
    send_job(w);
    return true;
}

void worker_ahead(struct worker *w, const struct job *job)
{
    if (!w->pid || w->out.size > AHEAD_MOST) return;
    frame_job(&w->out, WIRE_AHEAD, job);
    talk(w);
}

static void no_result(const struct worker *w, struct result *r)
{
    result_init(r);
    snprintf(r->device, sizeof r->device, "%s", w->id.name);
}

static bool ended_by_death(struct worker *w, double patience, struct result *r)
{
    no_result(w, r);
    char words[WHY_TEXT];
    worker_words(reap(w, patience), &w->words, words, sizeof words);
    why_note(&r->why, SAID, words);
    return true;
}

// Gives the current job to a fresh process, as the old one asked. True: that is not possible; the result says why.
static bool begin_again(struct worker *w, struct result *r)
{
    LOCAL(diags_clear) struct diags d = {0};
    reap(w, LEAVE_SECONDS);
    const bool ready = worker_start(w, &d);
    if (ready) send_job(w);
    else no_result(w, r), why_note(&r->why, SAID, diags_first(&d));
    return !ready;
}

size_t worker_started(const struct worker *w) { return w->started; }
const struct str *worker_launches(const struct worker *w) { return &w->launches; }
const struct str *worker_samples(const struct worker *w) { return &w->samples; }

bool worker_collect(struct worker *w, struct result *r)
{
    struct str payload = {0};
    enum wire_kind kind;
    bool broken, read = false;
    if (!w->pid) return false;
    bool alive = talk(w);
    if (!w->busy) return false;
    if (take_frame(w, &kind, &payload, &broken)) {
        read = (kind == WIRE_RESULT || kind == WIRE_LAST_RESULT) && wire_read_result(payload.text, payload.size, r);
        str_release(&payload);
        if (kind == WIRE_AGAIN) return begin_again(w, r);
        if (!read) return kill(w->pid, SIGKILL), ended_by_death(w, LEAVE_SECONDS, r);
        w->busy = false;
        if (kind == WIRE_LAST_RESULT) reap(w, 0); // it is at its end, and a broken context needs no cleaning up
        return true;
    }
    if (broken) kill(w->pid, SIGKILL);
    if (broken || !alive) return ended_by_death(w, LEAVE_SECONDS, r);
    count_time(w);
    if (w->left > 0) return false;
    reap(w, 0);
    no_result(w, r);
    r->status = STATUS_TIMEOUT;
    why_note(&r->why, LATE, w->timeout);
    if (doing_of(w->doing) == DOING_SAMPLES) why_note(&r->why, WAS_SAMPLING);
    else if (*doing_text(w->doing)) why_note(&r->why, WAS_DOING, doing_text(w->doing));
    return true;
}
