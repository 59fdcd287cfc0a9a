// Who holds a lock, as its file says it: one line of host, process, since when, machine and token. Private to the lock.
// SPDX-License-Identifier: MIT
#ifndef STORE_HOLDER_H
#define STORE_HOLDER_H
#include <stdbool.h>

struct holder {
    char host[65], machine[40],
        since[32]; // machine: the kernel's boot id: processes that share it share flock and pids
    long pid;
    unsigned long long token; // of this holding and no other
};

void holder_self(struct holder *);
bool holder_read(int fd, struct holder *); // false: it names nobody
bool holder_write(int fd, const struct holder *);
#endif
