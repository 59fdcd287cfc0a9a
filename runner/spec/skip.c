// Comments, strings, raw strings, spliced lines, names and numbers of C++ source, each to its end.
// SPDX-License-Identifier: MIT
#include "spec/skip.h"

#include <ctype.h>
#include <string.h>

// The length of a line splice at `p`: a backslash, blanks, the end of the line.
static size_t splice(const char *p)
{
    if (*p != '\\') return 0;
    const size_t n = 1 + strspn(p + 1, " \t\r");
    return p[n] == '\n' ? n + 1 : 0;
}

const char *skip_splices(const char *p)
{
    for (size_t n; (n = splice(p));) p += n;
    return p;
}

const char *skip_comment(const char *p) // at "/*"
{
    const char *end = strstr(p + 2, "*/");
    return end ? end + 2 : p + strlen(p);
}

const char *skip_line(const char *p) // the rest of it, spliced ones included
{
    while (*p && *p != '\n') p += splice(p) ? splice(p) : 1;
    return p;
}

const char *skip_blank(const char *p)
{
    for (;;) {
        p = skip_splices(p);
        if (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\f' || *p == '\v') p++;
        else if (p[0] == '/' && p[1] == '*') p = skip_comment(p);
        else return p;
    }
}

const char *skip_directive(const char *p) // to the end of its line; a comment may go on behind that
{
    while (*p && *p != '\n') {
        if (splice(p)) p += splice(p);
        else if (p[0] == '/' && p[1] == '*') p = skip_comment(p);
        else if (p[0] == '/' && p[1] == '/') return skip_line(p);
        else if (*p == '"') p = skip_quoted(p);
        else p++;
    }
    return p;
}

const char *skip_quoted(const char *p)
{
    const char quote = *p++;
    while (*p && *p != quote && *p != '\n') p += splice(p) ? splice(p) : *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

static const char *skip_raw(const char *p) // at the quote of R"x( ... )x"
{
    const size_t n = strcspn(p + 1, "(\\) \n\"");
    if (p[1 + n] != '(' || n > 16) return skip_quoted(p);
    for (const char *q = strchr(p, ')'); q; q = strchr(q + 1, ')'))
        if (strncmp(q + 1, p + 1, n) == 0 && q[1 + n] == '"') return q + n + 2;
    return p + strlen(p);
}

bool skip_is_word(char c) { return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80; }

// A name, with the raw string that it may be the prefix of, or a number with its separators: 1'000.
const char *skip_word(const char *p)
{
    const char *from = p;
    const bool number = isdigit((unsigned char)*p) != 0;
    while (skip_is_word(*p) || (number && (*p == '.' || (*p == '\'' && skip_is_word(p[1]))))) p++;
    const size_t n = (size_t)(p - from);
    const bool raw = !number && *p == '"' && p[-1] == 'R' &&
        (n == 1 || (n == 2 && strchr("uUL", *from)) || (n == 3 && strncmp(from, "u8", 2) == 0));
    return raw ? skip_raw(p) : p;
}

const char *skip_unread(const char *p)
{
    for (const char *from = NULL; from != p;) {
        from = p;
        if (p[0] == '/' && p[1] == '/') p = skip_line(p);
        else if (p[0] == '/' && p[1] == '*') p = skip_comment(p);
        else if (*p == '"' || *p == '\'') p = skip_quoted(p);
    }
    return p;
}

enum { DEEPEST_ARM = 64 };
struct skip_arms {
    struct skip_arm {
        int outside, first; // how many brackets are open before the #if, and behind its first arm
        const char *others; // where that arm ends; NULL: there is no other as yet
        bool differ;
    } items[DEEPEST_ARM];
    size_t count;
    int open;
};

static void blank_lines(char *from, const char *end)
{
    for (char *p = from; p < end; p += p < end) {
        const char *const stop = *skip_blank(p) == '#' ? skip_directive(p) : NULL;
        for (; p < end && (stop ? p < stop : *p != '\n'); p++)
            if (!stop) *p = ' ';
    }
}

static void follow(struct skip_arms *all, const char *text, const char *directive, char *out)
{
    const char *const word = skip_blank(directive + 1);
    struct skip_arm *const arm = all->count ? &all->items[all->count - 1] : NULL;
    if (strncmp(word, "if", 2) == 0 && all->count < DEEPEST_ARM) {
        all->items[all->count++] = (struct skip_arm){.outside = all->open};
    } else if (arm && (strncmp(word, "el", 2) == 0 || strncmp(word, "endif", 5) == 0)) {
        if (arm->others) arm->differ |= all->open != arm->first;
        const bool other = *word == 'e' && word[1] == 'l';
        if (!arm->others && other) arm->first = all->open, arm->others = directive;
        if (other) {
            all->open = arm->outside;
            return;
        }
        if (arm->others) all->open = arm->first;
        if (arm->differ || (arm->others && arm->first != arm->outside))
            blank_lines(out + (arm->others - text), out + (directive - text));
        all->count--;
    }
}

char *skip_arms(const char *text)
{
    struct skip_arms all = {.count = 0};
    bool line_start = true;
    char *const out = strdup(text);
    for (const char *p = text; *(p = skip_unread(skip_splices(p)));) {
        if (*p == '#' && line_start) {
            follow(&all, text, p, out);
            p = skip_directive(p);
        } else if (skip_is_word(*p)) {
            p = skip_word(p);
            line_start = false;
        } else {
            line_start = *p == '\n' || (line_start && isspace((unsigned char)*p));
            all.open += (strchr("([{", *p) != NULL) - (strchr(")]}", *p) != NULL);
            p++;
        }
    }
    return out;
}
