// Runs another program to its end, within limits: it ends with the thread that started it, and it gets no more memory
// and processor time than it is given.
// SPDX-License-Identifier: MIT
#pragma once
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct child_limits {
    size_t memory;    // bytes of address space
    unsigned seconds; // of processor time
};

enum child_end {
    CHILD_WELL,       // exit status 0
    CHILD_FAILED,     // another exit status, or it died
    CHILD_TOO_LONG,   // it used up its processor time
    CHILD_TOO_LARGE,  // it died when it had taken much of its memory (base/outside.h)
    CHILD_NOT_THERE,  // no such program
    CHILD_NOT_STARTED // the system has no process for it; errno says why
};

// argv[0] is looked for in PATH; input is empty, both outputs go to the file `log`. `limits` may be NULL.
enum child_end child_run(char *const *argv, const char *log, const struct child_limits *limits);

// Asks a question in a short-lived process of its own. For libraries that leave a process unable to fork workers: after
// CUDA has been called, or NVRTC only loaded, CUDA refuses to start in every child
// (cudaErrorInitializationError).

// Runs ask(context, answer) in a child process and copies its `size` bytes of plain data (no pointers) back. False: the
// child ended before it answered, or could not be made; `answer` is unchanged, and errno says why (ECHILD: it died).
bool apart_ask(void (*ask)(const void *context, void *answer), const void *context, void *answer, size_t size);

// Does `count` pieces of work, each in a process of its own and `most` at a time, which prints what went wrong. False:
// one failed; none is begun after that.
bool apart_each(bool (*work)(const void *context, size_t which), const void *context, size_t count, size_t most);

// All of it to a socket. False: nobody hears it.
bool child_send(int socket, const void *bytes, size_t size);

// Only the program itself decides what the signals mean that ask a run to stop; Ctrl-C and SLURM send them to the whole
// process group. A child is forked between these two calls and keeps them blocked: then they end neither the child, nor
// a compiler that it starts, nor are they taken by a library with its own handlers (NVRTC has one for SIGTERM).
void apart_hold_signals(sigset_t *before);
void apart_free_signals(const sigset_t *before);
