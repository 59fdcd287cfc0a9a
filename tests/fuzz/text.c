// Fuzz target: any bytes as a text that is shown on a terminal, on a page, or put into a batch script. No control
// character gets through, and bash would read back the word that was put in.
// SPDX-License-Identifier: MIT
#include "base/text.h"

#include "base/arena.h"
#include "fuzz/fuzz.h"
#include "page/markup.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void need(bool good)
{
    if (!good) abort();
}

static void shown(const struct str *s, bool one_line)
{
    for (size_t i = 0; i < s->size;) {
        const unsigned char c = (unsigned char)s->text[i];
        const size_t n = text_character(s->text + i);
        need(n > 0 && i + n <= s->size);
        need(c >= ' ' || (!one_line && (c == '\n' || c == '\t')));
        need(c != 0x7f && !(c == 0xc2 && (unsigned char)s->text[i + 1] < 0xa0));
        i += n;
    }
}

// What bash makes of one of our words: bare, '...' with '\'' inside, or $'...' with \ooo inside.
static void read_word(const char *p, struct str *word)
{
    const bool numbered = *p == '$';
    if (!numbered && *p != '\'') {
        for (; *p; p++) need(!strchr(" \t\n'\"\\$`;&|<>()*?[]#~!{}", *p));
        return;
    }
    for (p += numbered + 1; p[0] != '\'' || p[1];) {
        need(*p != '\0');
        if (numbered && *p == '\\') {
            const char number[4] = {p[1], p[2], p[3], 0};
            need(strspn(number, "01234567") == 3);
            str_add_bytes(word, (char[]){(char)strtol(number, NULL, 8)}, 1);
            p += 4;
        } else if (*p == '\'') {
            need(!numbered && strncmp(p, "'\\''", 4) == 0);
            str_add(word, "'");
            p += 4;
        } else {
            str_add_bytes(word, p++, 1);
        }
    }
}

static void quoted(const char *text)
{
    struct str s = {0}, word = {0};
    text_add_word(&s, text);
    need(s.size > 0 && !strchr(s.text, '\n') && !strchr(s.text, '\r'));
    shown(&s, true);
    const bool bare = *s.text != '\'' && *s.text != '$';
    read_word(s.text, &word);
    need(strcmp(bare ? s.text : word.text ? word.text : "", text) == 0);
    str_release(&s);
    str_release(&word);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {0}, line = {0}, page = {0};
    char *copy = mem_alloc(size + 1);
    if (size) memcpy(copy, data, size);
    text_add(&text, (const char *)data, size);
    need(text.size == size);
    if (text.size) shown(&text, false);
    text_add_line(&line, copy);
    if (line.size) shown(&line, true);
    markup_text(&page, copy);
    if (page.size) need(!strpbrk(page.text, "<>\"'"));
    quoted(copy);
    str_release(&text);
    str_release(&line);
    str_release(&page);
    free(copy);
    return 0;
}
