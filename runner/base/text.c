// One character at a time.
// SPDX-License-Identifier: MIT
#include "base/text.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

// Overrides and isolates of the writing direction: what follows is shown in another order than it is read by a program.
static bool turns(uint32_t c)
{
    return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F || c == 0x061C;
}

size_t text_character(const char *p)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *u = (const unsigned char *)p;
    if (u[0] < 0x80) return u[0] >= ' ' && u[0] != 0x7f ? 1 : u[0] == '\t' || u[0] == '\n' || u[0] == '\r';
    const size_t n = u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : 2;
    if (u[0] < 0xC2 || u[0] > 0xF4) return 0;
    uint32_t c = u[0] & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((u[i] & 0xC0) != 0x80) return 0;
        c = c << 6 | (u[i] & 0x3F);
    }
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF, control = c < 0xA0 || c == 0x2028 || c == 0x2029;
    return c < least[n] || c > 0x10FFFF || surrogate || control || turns(c) || c == 0xFFFE || c == 0xFFFF ? 0 : n;
}

void text_clean(char *text, bool one_line)
{
    for (size_t n; *text; text += n ? n : 1) {
        while (*text >= ' ' && *text <= '~') text++; // most are
        if (!*text) break;
        n = *text == '\r' ? 0 : text_character(text);
        if (!n) *text = '?';
        else if (one_line && (*text == '\n' || *text == '\t')) *text = ' ';
    }
}

void text_add(struct str *s, const char *bytes, size_t size)
{
    const size_t from = s->size;
    str_add_bytes(s, bytes, size);
    for (char *p = s->text + from, *end = s->text + s->size; (p = memchr(p, '\0', (size_t)(end - p)));) *p = '?';
    text_clean(s->text + from, false);
}

void text_add_line(struct str *s, const char *text)
{
    const size_t from = s->size;
    str_add(s, text);
    text_clean(s->text + from, true);
}

void text_add_word(struct str *s, const char *word)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@";
    if (*word && word[strspn(word, bare)] == '\0') {
        str_add(s, word);
        return;
    }
    bool shown = true;
    for (size_t n, at = 0; word[at] && shown; at += n) {
        n = text_character(word + at);
        shown = n && (unsigned char)word[at] >= ' ';
    }
    str_add(s, shown ? "'" : "$'");
    for (const char *p = word; *p; p++) {
        if (shown && *p == '\'') str_add(s, "'\\''");
        else if (shown || (*p >= ' ' && *p <= '~' && !strchr("'\\", *p))) str_add_bytes(s, p, 1);
        else str_addf(s, "\\%03o", (unsigned)(unsigned char)*p);
    }
    str_add(s, "'");
}

bool text_ends(const char *text, const char *end)
{
    const size_t n = strlen(text), e = strlen(end);
    return n > e && strcmp(text + n - e, end) == 0;
}

bool text_has_word(const char *text, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = text; p && (p = strstr(p, word)); p++) {
        bool begins = p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
        if (begins && !(isalnum((unsigned char)p[n]) || p[n] == '_')) return true;
    }
    return false;
}

void text_add_label(struct str *s, const char *name, const char *value)
{
    str_addf(s, "%s=\"", name);
    for (; *value; value++) {
        if (*value == '\\' || *value == '"') str_add(s, "\\");
        if (*value == '\n') str_add(s, "\\n");
        else str_add_bytes(s, value, 1);
    }
    str_add(s, "\"");
}

int text_width(const char *text)
{
    int n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

size_t text_cut(const char *text, int columns)
{
    const char *p = text;
    for (int n = 0; *p; p++) {
        n += ((unsigned char)*p & 0xc0) != 0x80;
        if (n > columns) break;
    }
    return (size_t)(p - text);
}
