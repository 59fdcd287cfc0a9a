// One shared page: what it is, then the text, whole or cut off, never without an end.
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

enum doing_what doing_of(const char *p) { return p && *p == DOING_SAMPLES ? DOING_SAMPLES : DOING_OTHER; }
const char *doing_text(const char *p) { return p ? p + 1 : ""; }
void doing_nothing(char *p)
{
    if (p) p[0] = p[1] = '\0';
}

void doing(enum doing_what what, const char *fmt, ...)
{
    va_list args;
    if (!page) return;
    page[1] = '\0';
    page[0] = (char)what;
    va_start(args, fmt);
    vsnprintf(page + 1, DOING_ROOM - 1, fmt, args); // ends within the page: its last byte is never anything but the end
    va_end(args);
}
