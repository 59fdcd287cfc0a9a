// The worker's own process, seen through worker.h. Only worker.c starts it.
// SPDX-License-Identifier: MIT
#pragma once
#include <sys/types.h>

// Never returns. `link` is the socket to the parent, `err` what stdout and stderr become; every other descriptor is
// closed. `doing` is where it says what it does (base/doing.h).
_Noreturn void worker_child(const char *spec, int link, int err, char *doing, pid_t parent);
