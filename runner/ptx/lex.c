// The tokeniser. PTX needs no look-ahead except for "::", which belongs to a word (`L1::no_allocate`), while ':' ends
// a label.
// SPDX-License-Identifier: MIT
#include "ptx/lex.h"

#include <stdlib.h>
#include <string.h>

struct lex lex_start(const char *text) { return (struct lex){text, 1}; }

static bool in_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
        c == '%' || c == '.';
}

static void skip_blank(struct lex *lex)
{
    for (;; lex->at++) {
        const char *s = lex->at;
        if (*s == '\n') lex->line++;
        else if (s[0] == '/' && s[1] == '/') {
            while (lex->at[1] && lex->at[1] != '\n') lex->at++;
        } else if (s[0] == '/' && s[1] == '*') {
            for (lex->at += 2; *lex->at && !(lex->at[0] == '*' && lex->at[1] == '/'); lex->at++)
                lex->line += *lex->at == '\n';
            if (!*lex->at) return;
            lex->at++;
        } else if (*s != ' ' && *s != '\t' && *s != '\r' && *s != '\f') return;
    }
}

struct lex_token lex_next(struct lex *lex)
{
    skip_blank(lex);
    const char *start = lex->at, *s = start;
    struct lex_token token = {LEX_END, start, 0, lex->line};
    if (!*s) return token;
    if (*s == '"') {
        for (s++; *s && *s != '"' && *s != '\n'; s++)
            if (*s == '\\' && s[1]) s++;
        token = (struct lex_token){LEX_STRING, start + 1, (size_t)(s - start - 1), lex->line};
        lex->at = *s == '"' ? s + 1 : s;
        return token;
    }
    if (*s >= '0' && *s <= '9') {
        bool decimal =
            !(s[0] == '0' && (s[1] == 'x' || s[1] == 'X' || s[1] == 'f' || s[1] == 'F' || s[1] == 'd' || s[1] == 'D'));
        while (in_word(*s) || (decimal && (*s == '-' || *s == '+') && (s[-1] == 'e' || s[-1] == 'E'))) s++;
        token.kind = LEX_NUMBER;
    } else if (in_word(*s)) {
        // A directive ends where the next one begins: inline assembly writes `.reg.b16 x`.
        while ((in_word(*s) && !(*start == '.' && *s == '.' && s > start)) ||
            (s[0] == ':' && s[1] == ':' && in_word(s[2])))
            s += *s == ':' ? 2 : 1;
        token.kind = LEX_WORD;
    } else {
        s++;
        token.kind = LEX_MARK;
    }
    token.size = (size_t)(s - start);
    lex->at = s;
    return token;
}

bool lex_is(struct lex_token t, const char *text)
{
    return (t.kind == LEX_WORD || t.kind == LEX_MARK) && strlen(text) == t.size && memcmp(t.text, text, t.size) == 0;
}

void lex_skip_group(struct lex *lex)
{
    for (int depth = 1; depth > 0;) {
        struct lex_token t = lex_next(lex);
        if (t.kind == LEX_END) return;
        if (t.kind != LEX_MARK) continue;
        if (strchr("({[", *t.text)) depth++;
        else if (strchr(")}]", *t.text)) depth--;
    }
}

size_t lex_type_size(const char *type, size_t length)
{
    static const struct {
        const char *name;
        size_t size;
    } types[] = {{"b8", 1}, {"u8", 1}, {"s8", 1}, {"b16", 2}, {"u16", 2}, {"s16", 2}, {"f16", 2}, {"bf16", 2},
        {"b32", 4}, {"u32", 4}, {"s32", 4}, {"f32", 4}, {"b64", 8}, {"u64", 8}, {"s64", 8}, {"f64", 8}, {"f16x2", 4},
        {"bf16x2", 4}, {"b128", 16}};
    if (length && *type == '.') type++, length--;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, type, length) == 0) return types[i].size;
    return 0;
}

struct lex_value lex_number(struct lex_token t)
{
    char text[64];
    size_t n = t.size < sizeof text - 1 ? t.size : sizeof text - 1;
    memcpy(text, t.text, n);
    text[n] = 0;
    if (text[0] == '0' && (text[1] == 'f' || text[1] == 'F'))
        return (struct lex_value){strtoull(text + 2, NULL, 16), 4};
    if (text[0] == '0' && (text[1] == 'd' || text[1] == 'D'))
        return (struct lex_value){strtoull(text + 2, NULL, 16), 8};
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    if (!hex && strpbrk(text, ".eE")) {
        double d = strtod(text, NULL);
        struct lex_value v = {0, 8};
        memcpy(&v.bits, &d, 8);
        return v;
    }
    if (text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) return (struct lex_value){strtoull(text + 2, NULL, 2), 0};
    return (struct lex_value){strtoull(text, NULL, 0), 0};
}
