// Escaping, one character at a time.
// SPDX-License-Identifier: MIT
#include "page/markup.h"

#include "base/text.h"

#include <stdint.h>
#include <string.h>

static const char replacement[] = "\xEF\xBF\xBD";

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
    for (size_t n; *text; text += n ? n : 1, count++) n = text_character(text);
    return count;
}

void markup_cut(struct str *s, const char *text, size_t most)
{
    size_t left = markup_length(text) > most ? most - 1 : SIZE_MAX;
    for (size_t n; *text && left; text += n ? n : 1, left--) {
        n = text_character(text);
        add_character(s, text, n);
    }
    if (*text) str_add(s, "\xE2\x80\xA6");
}

void markup_text(struct str *s, const char *text) { markup_cut(s, text, SIZE_MAX); }
