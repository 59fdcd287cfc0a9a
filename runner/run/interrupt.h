// Signals that ask a run to stop, turned into something that a loop can look at and poll(2) can wait for. A handler
// only remembers the signal.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

// SIGINT, SIGTERM, SIGUSR1, SIGHUP; SIGXFSZ and SIGPIPE become errors of the call that met them. A third SIGINT ends
// the program with status 75. Pairs of these may stand inside each other: the outermost counts.
void interrupt_begin(void);
void interrupt_end(void);   // as they were
int interrupt_fd(void);     // can be read after a signal
int interrupt_signal(void); // the first one, 0: none
// End at once: a second SIGINT, or a SIGTERM that was seen here some time ago. Who sends that kills soon after: SLURM
// 30 s later, unless told otherwise.
enum { INTERRUPT_PATIENCE_S = 20 };
bool interrupt_at_once(void);
