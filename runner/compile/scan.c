// Finds a function by name in C++ text, skipping comments, strings and everything inside braces.
// SPDX-License-Identifier: MIT
#include "compile/scan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool scan_is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The end of the comment or quoted text at `p`; `p` itself when none begins there.
static const char *skip(const char *p)
{
    if (p[0] == '/' && p[1] == '/') return p + strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? end + 2 : p + strlen(p);
    }
    if (*p != '"' && *p != '\'') return p;
    const char quote = *p++;
    while (*p && *p != quote && *p != '\n') p += *p == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

// The next identifier at or after `p` with its length and the depth of braces it stands in; NULL at the end.
static const char *next_word(const char *p, size_t *length, int *depth)
{
    while (*p) {
        const char *after = skip(p);
        if (after != p) {
            p = after;
            continue;
        }
        if (scan_is_word(*p)) {
            for (*length = 1; scan_is_word(p[*length]); ++*length) {}
            return p;
        }
        *depth += (*p == '{') - (*p == '}');
        p++;
    }
    return NULL;
}

bool scan_word(const char *source, const char *word)
{
    size_t length;
    int depth = 0;
    for (const char *p = source; (p = next_word(p, &length, &depth)); p += length)
        if (strlen(word) == length && strncmp(p, word, length) == 0) return true;
    return false;
}

static void copy_word(char out[64], const char *p, size_t n) { snprintf(out, 64, "%.*s", (int)(n < 63 ? n : 63), p); }

// `p` stands behind the opening bracket. A parameter's name is its last word before a comma, a bracket or a default.
static bool arguments(const char *p, struct scan_function *f)
{
    const char *last = NULL;
    size_t last_length = 0;
    int depth = 0;
    bool in_default = false;
    f->count = 0;
    while (*p) {
        const char *after = skip(p);
        if (after != p) {
            p = after;
            continue;
        }
        if (depth == 0 && (*p == ',' || *p == ')')) {
            if (last && f->count < SCAN_ARGUMENTS) copy_word(f->arguments[f->count++], last, last_length);
            if (*p == ')') return true;
            last = NULL;
            in_default = false;
            p++;
            continue;
        }
        if (scan_is_word(*p)) {
            size_t n = 1;
            while (scan_is_word(p[n])) n++;
            if (!in_default && depth == 0) last = p, last_length = n;
            p += n;
            continue;
        }
        depth += (*p == '(' || *p == '<' || *p == '[') - (*p == ')' || *p == '>' || *p == ']');
        in_default |= *p == '=';
        p++;
    }
    return false;
}

bool scan_function(const char *source, const char *name, struct scan_function *f)
{
    size_t length;
    int depth = 0;
    for (const char *p = source; (p = next_word(p, &length, &depth)); p += length) {
        const char *bracket = p + length + strspn(p + length, " \t\r\n");
        if (depth != 0 || strlen(name) != length || strncmp(p, name, length) != 0 || *bracket != '(') continue;
        f->line = 1;
        for (const char *q = source; q < p; q++) f->line += *q == '\n';
        return arguments(bracket + 1, f);
    }
    return false;
}
