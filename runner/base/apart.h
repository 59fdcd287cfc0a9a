// Asks a question in a short-lived process of its own. For libraries that leave a process unable to fork workers: after
// CUDA has been called, or NVRTC so much as loaded, CUDA refuses to start in every child
// (cudaErrorInitializationError).
// SPDX-License-Identifier: MIT
#ifndef BASE_APART_H
#define BASE_APART_H
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

// Runs ask(context, answer) in a child and brings its `size` bytes of plain data (no pointers) home. False: the child
// did not live to answer, or none could be made; `answer` is as it was, and errno says why (ECHILD: it died).
bool apart_ask(void (*ask)(const void *context, void *answer), const void *context, void *answer, size_t size);

// The signals that ask a run to stop concern the program, which decides what they mean; they are sent to the whole
// group by Ctrl-C and by SLURM. A child is forked between these two and keeps them blocked, so that neither it nor a
// library in it that installs handlers of its own (NVRTC has one for SIGTERM), nor a compiler it starts, ends of one.
void apart_hold_signals(sigset_t *before);
void apart_free_signals(const sigset_t *before);
#endif
