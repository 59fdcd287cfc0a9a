// Runs another program to its end, within limits: it ends with the thread that started it, and it gets no more memory
// and processor time than it is given.
// SPDX-License-Identifier: MIT
#pragma once
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
