// One pipe, one count; see interrupt.h.
// SPDX-License-Identifier: MIT
#include "run/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "base/clock.h"

static const int asking[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP}, ignored[] = {SIGXFSZ, SIGPIPE};
enum { ASKING = sizeof asking / sizeof *asking, IGNORED = sizeof ignored / sizeof *ignored };
static struct sigaction before[ASKING + IGNORED];
static volatile sig_atomic_t first, interrupts;
static int ends[2] = {-1, -1}, depth;
static double seen; // when a SIGTERM was first looked at

static void remember(int signal)
{
    int kept = errno;
    if (!first) first = signal;
    if (signal == SIGINT) interrupts = interrupts + 1;
    if (interrupts > 2) _exit(75);     // whatever holds the program up: what was written stands, workers end with it
    if (write(ends[1], "", 1) != 1) {} // a full pipe can be read already
    errno = kept;
}

void interrupt_begin(void)
{
    struct sigaction ask = {.sa_handler = remember, .sa_flags = SA_RESTART}, ignore = {.sa_handler = SIG_IGN};
    if (depth++) return;
    first = interrupts = 0;
    seen = 0;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) ends[0] = ends[1] = -1;
    sigemptyset(&ask.sa_mask);
    for (size_t i = 0; i < ASKING; i++) sigaction(asking[i], &ask, &before[i]);
    // Started under nohup: what was ignored stays ignored. (Not SIGINT: a shell's `&` ignores it, and who sends it all
    // the same means it.)
    for (size_t i = 0; i < ASKING; i++)
        if (before[i].sa_handler == SIG_IGN && asking[i] == SIGHUP) sigaction(asking[i], &before[i], NULL);
    for (size_t i = 0; i < IGNORED; i++) sigaction(ignored[i], &ignore, &before[ASKING + i]);
}

void interrupt_end(void)
{
    if (--depth) return;
    for (size_t i = 0; i < ASKING; i++) sigaction(asking[i], &before[i], NULL);
    for (size_t i = 0; i < IGNORED; i++) sigaction(ignored[i], &before[ASKING + i], NULL);
    for (size_t i = 0; i < 2; i++) {
        if (ends[i] >= 0) close(ends[i]);
        ends[i] = -1;
    }
}

int interrupt_fd(void) { return ends[0]; }
int interrupt_signal(void) { return first; }
bool interrupt_at_once(void)
{
    if (first == SIGTERM && seen == 0) seen = clock_seconds();
    return interrupts > 1 || (seen > 0 && clock_seconds() - seen > INTERRUPT_PATIENCE_S);
}
