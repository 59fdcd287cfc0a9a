// Formats, cleans, writes.
// SPDX-License-Identifier: MIT
#include "base/say.h"

#include "base/text.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 4096, WAIT_MS = 200 }; // a pipe that can be written takes so many bytes at once

static bool patient = true, stalled;
static size_t missed; // bytes that nobody read

void say_patiently(bool on) { patient = on; }

static bool ready(void)
{
    struct pollfd fd = {.fd = STDERR_FILENO, .events = POLLOUT};
    const bool well = patient || poll(&fd, 1, stalled ? 0 : WAIT_MS) == 1; // an error is met by the write
    stalled = !well;
    return well;
}

static bool put(const char *p, size_t size)
{
    while (size) {
        const size_t piece = size < PIECE ? size : PIECE;
        if (!ready()) return false;
        const ssize_t n = write(STDERR_FILENO, p, piece);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return true; // nobody can be told
        p += n;
        size -= (size_t)n;
    }
    return true;
}

static void write_error(const char *p, size_t size)
{
    char line[96];
    if (missed && ready()) {
        const int n = snprintf(line, sizeof line, "\n[%zu bytes were not shown: nobody read them]\n", missed);
        missed = 0;
        put(line, (size_t)n);
    }
    if (missed || !put(p, size)) missed += size;
}

static void out(FILE *f, const char *bytes, size_t size)
{
    if (f == stderr) write_error(bytes, size);
    else fwrite(bytes, 1, size, f);
}

void say_bytes(FILE *f, const char *bytes, size_t size)
{
    LOCAL(str_release) struct str clean = {0};
    text_add(&clean, bytes, size);
    if (clean.size) out(f, clean.text, clean.size);
}

void say(FILE *f, const char *fmt, ...)
{
    STR_FORMATTED(text, fmt);
    if (text.size) say_bytes(f, text.text, text.size);
}

void say_escape(FILE *f, const char *escape)
{
    if (*escape) out(f, escape, strlen(escape));
}
