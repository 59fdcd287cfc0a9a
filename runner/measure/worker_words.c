// Names the signal and finds the last lines; shows what comes before.
// SPDX-License-Identifier: MIT
#include "measure/worker_words.h"

#include "base/say.h"
#include "base/text.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

// The last lines of what the process wrote, as one: " / " between, nothing that does not print.
static void last_words(const struct str *said, char text[200])
{
    const char *lines[3] = {0}, *start = said->text, *end = start ? start + said->size : NULL;
    size_t sizes[3] = {0}, count = 0, used = 0;
    while (end > start && count < 3) {
        while (end > start && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' ')) end--;
        const char *from = end;
        while (from > start && from[-1] != '\n') from--;
        if (used + (size_t)(end - from) > 180) {
            if (count) break;
            from = end - 180; // the end of a long line says more than nothing
        }
        if (from == end) break;
        lines[count] = from;
        sizes[count] = (size_t)(end - from);
        used += sizes[count++] + 3;
        end = from;
    }
    text[0] = '\0';
    for (size_t i = count, at = 0; i-- > 0;) {
        at += (size_t)snprintf(text + at, 200 - at, "%s%.*s", at ? " / " : "", (int)sizes[i], lines[i]);
        if (at >= 199) break;
    }
    text_clean(text, true);
}

static const char *signal_name(int s)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV (a segmentation fault)"}, {SIGABRT, "SIGABRT (an abort)"},
        {SIGBUS, "SIGBUS (a bus error)"}, {SIGFPE, "SIGFPE (an arithmetic exception)"},
        {SIGILL, "SIGILL (an illegal instruction)"},
        {SIGKILL, "SIGKILL (killed from outside: has the machine run out of memory?)"}, {SIGTERM, "SIGTERM"},
        {SIGSYS, "SIGSYS"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == s) return names[i].name;
    return NULL;
}

void worker_words(int status, const struct str *said, char *text, size_t room)
{
    char words[200];
    int s = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    const char *name = s ? signal_name(s) : NULL;
    last_words(said, words);
    if (name) snprintf(text, room, "the worker died of %s", name);
    else if (s) snprintf(text, room, "the worker died of signal %d", s);
    else snprintf(text, room, "the worker ended with exit status %d", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    size_t n = strlen(text);
    if (words[0]) snprintf(text + n, room - n, ": %s", words);
}

void worker_show(const char *text, size_t size, size_t *shown)
{
    enum { MOST = 64 << 10 };
    const size_t room = MOST > *shown ? MOST - *shown : 0;
    say_bytes(stderr, text, size < room ? size : room);
    if (*shown <= MOST && *shown + size > MOST)
        say(stderr, "\n[the point prints more than %d KiB: the rest is not shown]\n", MOST >> 10);
    *shown += size;
}

bool worker_complaint(const struct str *payload, struct diags *d)
{
    const char *what = payload->text, *hint = what ? memchr(what, '\0', payload->size) : NULL;
    hint = hint && hint + 1 < what + payload->size ? hint + 1 : "";
    return diag_system(d, *hint ? hint : NULL, "%s", what && *what ? what : "the device cannot be opened");
}
