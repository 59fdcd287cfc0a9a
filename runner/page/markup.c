// Escaping, one character at a time.
// SPDX-License-Identifier: MIT
#include "page/markup.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD";

// The bytes of the character at `p`; 0: there is none that XML allows (broken UTF-8, a control character, U+FFFE).
static size_t character(const char *p)
{
    const unsigned char *u = (const unsigned char *)p;
    if (u[0] < 0x80) return u[0] >= ' ' && u[0] != 0x7f ? 1 : u[0] == '\t' || u[0] == '\n' || u[0] == '\r';
    size_t n = u[0] >= 0xF0 ? 4 : u[0] >= 0xE0 ? 3 : 2;
    if (u[0] < 0xC2 || u[0] > 0xF4) return 0;
    uint32_t c = u[0] & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((u[i] & 0xC0) != 0x80) return 0;
        c = c << 6 | (u[i] & 0x3F);
    }
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    bool surrogate = c >= 0xD800 && c <= 0xDFFF, control = c < 0xA0;
    return c < least[n] || c > 0x10FFFF || surrogate || control || c == 0xFFFE || c == 0xFFFF ? 0 : n;
}

static void add_character(struct str *s, const char *p, size_t n)
{
    const char *entity = *p == '&' ? "&amp;"
        : *p == '<'                ? "&lt;"
        : *p == '>'                ? "&gt;"
        : *p == '"'                ? "&quot;"
        : *p == '\''               ? "&#39;"
                                   : NULL;
    if (!n) str_add(s, replacement);
    else if (entity) str_add(s, entity);
    else str_add_bytes(s, p, n);
}

size_t markup_length(const char *text)
{
    size_t count = 0;
    for (size_t n; *text; text += n ? n : 1, count++) n = character(text);
    return count;
}

void markup_cut(struct str *s, const char *text, size_t most)
{
    size_t left = markup_length(text) > most ? most - 1 : SIZE_MAX;
    for (size_t n; *text && left; text += n ? n : 1, left--) {
        n = character(text);
        add_character(s, text, n);
    }
    if (*text) str_add(s, "\xE2\x80\xA6");
}

void markup_text(struct str *s, const char *text) { markup_cut(s, text, SIZE_MAX); }
