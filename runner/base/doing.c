// One shared page; its text is whole or cut off, never without an end.
// SPDX-License-Identifier: MIT
#include "base/doing.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

static char *page;

char *doing_page(void)
{
    void *p = mmap(NULL, DOING_ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void doing_page_free(char *p)
{
    if (p) munmap(p, DOING_ROOM);
}

void doing_write_to(char *p) { page = p; }

void doing(const char *fmt, ...)
{
    va_list args;
    if (!page) return;
    page[0] = '\0';
    if (!fmt) return;
    va_start(args, fmt);
    vsnprintf(page, DOING_ROOM, fmt, args); // ends within the page: its last byte is never anything but the end
    va_end(args);
}
