// Asks a question in a short-lived process of its own. For libraries that leave a process unable to fork workers: after
// CUDA has been called, or NVRTC so much as loaded, CUDA refuses to start in every child
// (cudaErrorInitializationError).
// SPDX-License-Identifier: MIT
#ifndef BASE_APART_H
#define BASE_APART_H
#include <stdbool.h>
#include <stddef.h>

// Runs ask(context, answer) in a child and brings its `size` bytes of plain data (no pointers) home. False: the child
// did not live to answer, or none could be made; `answer` is as it was, and errno says why where it was the system.
bool apart_ask(void (*ask)(const void *context, void *answer), const void *context, void *answer, size_t size);
#endif
