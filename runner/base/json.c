// Commas, indent and escapes.
// SPDX-License-Identifier: MIT
#include "base/json.h"

#include "base/say.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

struct json json_begin(FILE *out, bool one_line) { return (struct json){.out = out, .one_line = one_line}; }

static void quoted(struct json *j, const char *text)
{
    struct str *s = &j->text;
    str_add_bytes(s, "\"", 1);
    for (const char *p = text, *from = text;;) {
        while (*p >= ' ' && *p <= '~' && *p != '"' && *p != '\\') p++; // most are
        if (p > from) str_add_bytes(s, from, (size_t)(p - from));
        if (!*p) break;
        const unsigned char c = (unsigned char)*p;
        const size_t n = text_character(p);
        if (c == '"' || c == '\\') str_addf(s, "\\%c", c);
        else if (c == '\n') str_add(s, "\\n");
        else if (c < ' ' || c == 0x7f) str_addf(s, "\\u%04x", c);
        else if (n) str_add_bytes(s, p, n);
        else str_add(s, "\\ufffd"); // no character, or one that must not be shown
        from = p += n ? n : 1;
    }
    str_add_bytes(s, "\"", 1);
}

static void line(struct json *j)
{
    if (j->one_line || !j->depth) return;
    str_add_bytes(&j->text, "\n", 1);
    for (unsigned i = 0; i < j->depth; i++) str_add_bytes(&j->text, "  ", 2);
}

// Only between elements: no character is cut in two.
static void flush(struct json *j)
{
    say_bytes(j->out, j->text.text, j->text.size);
    str_clear(&j->text);
}

static void before(struct json *j, const char *key)
{
    if (j->text.size > 65536) flush(j);
    if (j->filled[j->depth]) str_add(&j->text, j->one_line ? ", " : ",");
    j->filled[j->depth] = true;
    line(j);
    if (!key) return;
    quoted(j, key);
    str_add(&j->text, ": ");
}

static void begin(struct json *j, const char *key, const char *open, char end)
{
    before(j, key);
    str_add(&j->text, open);
    if (j->depth == JSON_DEEPEST) return;
    j->depth++;
    j->filled[j->depth] = false;
    j->close[j->depth] = end;
}

void json_object(struct json *j, const char *key) { begin(j, key, "{", '}'); }
void json_list(struct json *j, const char *key) { begin(j, key, "[", ']'); }

void json_close(struct json *j)
{
    const bool filled = j->filled[j->depth];
    const char end = j->close[j->depth--];
    if (filled && j->depth) line(j);
    else if (filled && !j->one_line) str_add(&j->text, "\n");
    str_add_bytes(&j->text, &end, 1);
}

void json_end(struct json *j)
{
    while (j->depth) json_close(j);
    str_add(&j->text, "\n");
    flush(j);
    str_release(&j->text);
}

void json_text(struct json *j, const char *key, const char *text)
{
    before(j, key);
    if (text) quoted(j, text);
    else str_add(&j->text, "null");
}

void json_number(struct json *j, const char *key, double x)
{
    LOCAL(str_release) struct str s = {0};
    before(j, key);
    value_print(value_real(x), &s); // as many digits as it needs to be read back
    str_add(&j->text, isfinite(x) && s.size ? s.text : "null");
}

void json_count(struct json *j, const char *key, uint64_t n)
{
    before(j, key);
    if (n <= INT64_MAX) str_add_int(&j->text, (int64_t)n);
    else str_addf(&j->text, "%llu", (unsigned long long)n);
}

void json_bool(struct json *j, const char *key, bool yes)
{
    before(j, key);
    str_add(&j->text, yes ? "true" : "false");
}

// One conversion of a form; how long it is.
static size_t converted(struct json *j, const char *key, const char *p, va_list *args)
{
    if (p[1] == 's') json_text(j, key, va_arg(*args, const char *));
    else if (p[1] == 'g') json_number(j, key, va_arg(*args, double));
    else if (p[1] == 'd') json_bool(j, key, va_arg(*args, int));
    else if (p[1] == 'u') json_count(j, key, va_arg(*args, unsigned));
    else if (p[1] == 'z') return json_count(j, key, va_arg(*args, size_t)), 3;
    else return json_count(j, key, va_arg(*args, unsigned long long)), 4;
    return 2;
}

void json_add(struct json *j, const char *form, ...)
{
    char name[64], text[64];
    const char *key = NULL;
    va_list args;
    va_start(args, form);
    for (const char *p = form; *p;) {
        const bool quote = *p == '\'';
        size_t n = quote ? strcspn(p + 1, "'") + 2 : strcspn(p, " :{}[]%");
        if (n && !quote && p[n] == ':') {
            snprintf(name, sizeof name, "%.*s", (int)n, p);
            key = name;
            p += n + 1;
            continue;
        }
        if (n) snprintf(text, sizeof text, "%.*s", (int)n - 2 * quote, p + quote);
        if (quote) json_text(j, key, text);
        else if (n) before(j, key), str_add(&j->text, text);
        else if (*p == '%') n = converted(j, key, p, &args);
        else if (*p == '{' || *p == '[') (*p == '{' ? json_object : json_list)(j, key);
        else if (*p != ' ') json_close(j);
        if (*p != ' ') key = NULL;
        p += n ? n : 1;
    }
    va_end(args);
}

void json_value(struct json *j, const char *key, struct value v)
{
    switch (v.kind) {
    case VALUE_NONE: json_text(j, key, NULL); break;
    case VALUE_INT: before(j, key), str_add_int(&j->text, v.i); break;
    case VALUE_REAL: json_number(j, key, v.r); break;
    case VALUE_BOOL: json_bool(j, key, v.b); break;
    case VALUE_TEXT: json_text(j, key, v.text); break;
    case VALUE_LIST:
        json_list(j, key);
        for (size_t i = 0; i < v.list->count; i++) json_value(j, NULL, v.list->items[i]);
        json_close(j);
    }
}

void json_diags(struct json *j, const char *key, const struct diags *d)
{
    json_list(j, key);
    for (size_t i = 0; i < d->count; i++) {
        const struct diag *m = &d->items[i];
        json_add(j, "{ kind:%s file:%s", m->kind == DIAG_WARNING ? "warning" : "error", m->at.file);
        if (m->at.line) json_add(j, "line:%u column:%u", (unsigned)m->at.line, (unsigned)m->at.column);
        json_add(j, "what:%s hint:%s }", m->what, m->hint);
    }
    json_close(j);
}
