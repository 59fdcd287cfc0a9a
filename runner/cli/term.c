// Terminal facts and simple layout.
// SPDX-License-Identifier: MIT
#include "cli/term.h"

#include "base/str.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

bool term_is_live(FILE *out)
{
    const char *kind = getenv("TERM");
    return isatty(fileno(out)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

void term_clear_line(FILE *out)
{
    if (term_is_live(out)) say_escape(out, "\r\033[K");
}

int term_width(FILE *out)
{
    struct winsize size;
    struct stat is;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    // `| less` and `| head` show it on the terminal that errors go to.
    const bool piped = fstat(fileno(out), &is) == 0 && S_ISFIFO(is.st_mode);
    if (piped && ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    return 100;
}

// Asked once of each stream: a list of a million lines would ask the system a million times.
static bool in_colour(FILE *out)
{
    static enum { NOT_ASKED, NO, YES } known[2];
    const int which = out == stderr;
    if (known[which] == NOT_ASKED) {
        const char *never = getenv("NO_COLOR"); // https://no-color.org: present and not empty
        known[which] = term_is_live(out) && !(never && *never) ? YES : NO;
    }
    return known[which] == YES;
}

void term_paint(FILE *out, enum term_colour colour)
{
    static const char *const codes[] = {
        [TERM_PLAIN] = "\033[0m",
        [TERM_BOLD] = "\033[1m",
        [TERM_DIM] = "\033[2m",
        [TERM_RED] = "\033[31m",
        [TERM_GREEN] = "\033[32m",
        [TERM_YELLOW] = "\033[33m",
        [TERM_CYAN] = "\033[36m",
    };
    if (in_colour(out)) say_escape(out, codes[colour]);
}

void term_say(FILE *out, enum term_colour colour, const char *fmt, ...)
{
    STR_FORMATTED(text, fmt);
    if (colour != TERM_PLAIN) term_paint(out, colour);
    say(out, "%s", text.text ? text.text : "");
    if (colour != TERM_PLAIN) term_paint(out, TERM_PLAIN);
}

void term_columns(const char *left, int margin, const char *text, int width, FILE *out)
{
    int at = text_width(left), room = width - margin > 20 ? width - margin : 20;
    say(out, "%s", left);
    if (at > 0 && at >= margin) {
        say(out, "\n");
        at = 0;
    }
    while (*text == ' ') text++;
    if (!*text && at == 0 && *left) return; // its line is ended already
    for (bool first = true; *text || first; first = false) {
        size_t n = text_cut(text, room);
        const char *newline = memchr(text, '\n', n);
        if (newline) n = (size_t)(newline - text);
        else if (text[n]) { // break at the last space that fits; a longer word is not broken
            size_t space = n;
            while (space > 0 && text[space] != ' ') space--;
            n = space ? space : strcspn(text, " \n");
        }
        if (n) say(out, "%*s%.*s", margin - at, "", (int)n, text);
        say(out, "\n");
        at = 0;
        text += n;
        while (*text == ' ' || *text == '\n') text++;
    }
}

void term_paragraph(FILE *out, int from, const char *text)
{
    const bool wide = term_is_live(out) && from + text_width(text) > term_width(out);
    if (wide) term_columns("", from, text, term_width(out), out);
    else say(out, "%*s%s\n", from, "", text);
}
