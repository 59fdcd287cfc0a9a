// Reads a PTX text from the outside: directives, variables with initialisers, function headers.
// SPDX-License-Identifier: MIT
#include "ptx/module.h"

#include "base/arena.h"
#include "ptx/parse.h"

#include <stdio.h>
#include <string.h>

void parse_step(struct parse *p) { p->t = lex_next(&p->lex); }

bool parse_take(struct parse *p, const char *mark)
{
    if (!lex_is(p->t, mark)) return false;
    parse_step(p);
    return true;
}

char *parse_text(struct parse *p)
{
    char *s = arena_strndup(p->arena, p->t.text, p->t.size);
    if (p->t.kind != LEX_END) parse_step(p);
    return s;
}

bool parse_type(struct parse *p, size_t *size, bool *predicate)
{
    *predicate = lex_is(p->t, ".pred");
    *size = p->t.kind == LEX_WORD && *p->t.text == '.' ? lex_type_size(p->t.text, p->t.size) : 0;
    if (!*size && !*predicate) return false;
    parse_step(p);
    return true;
}

static void add_init(struct parse *p, struct ptx_var *v, struct ptx_init init)
{
    if (v->init_count == v->init_room) {
        size_t room = v->init_room ? v->init_room * 2 : 8;
        struct ptx_init *grown = arena_alloc(p->arena, room * sizeof *grown);
        if (v->init_count) memcpy(grown, v->inits, v->init_count * sizeof *grown);
        v->inits = grown;
        v->init_room = room;
    }
    v->inits[v->init_count++] = init;
}

// 5, -1, 0f3F800000, x, x+8, generic(x)+8, 0xFF00(generic(x))
static void read_init(struct parse *p, struct ptx_var *v, size_t at, size_t size)
{
    struct ptx_init init = {at, size, 0, ~(uint64_t)0, NULL};
    bool minus = parse_take(p, "-");
    if (p->t.kind == LEX_NUMBER) {
        init.value = lex_number(p->t).bits;
        parse_step(p);
        if (!lex_is(p->t, "(")) {
            if (minus) init.value = 0 - init.value;
            add_init(p, v, init);
            return;
        }
        init.mask = init.value;
        init.value = 0;
        parse_step(p);
    }
    if (lex_is(p->t, "generic")) {
        parse_step(p);
        parse_take(p, "(");
    }
    init.symbol = parse_text(p);
    while (parse_take(p, ")"))
        ;
    minus = lex_is(p->t, "-");
    if (parse_take(p, "+") || parse_take(p, "-")) {
        minus ^= parse_take(p, "-");
        init.value = lex_number(p->t).bits;
        if (minus) init.value = 0 - init.value;
        parse_step(p);
    }
    while (parse_take(p, ")"))
        ;
    add_init(p, v, init);
}

static void read_inits(struct parse *p, struct ptx_var *v, size_t size)
{
    size_t at = 0;
    int depth = 0;
    do {
        while (parse_take(p, "{")) depth++;
        if (p->t.kind == LEX_END || lex_is(p->t, ";")) break;
        if (!lex_is(p->t, "}")) read_init(p, v, at, size);
        at += size;
        while (depth && parse_take(p, "}")) depth--;
    } while (parse_take(p, ",") && p->t.kind != LEX_END);
}

struct ptx_var *parse_var(struct parse *p, enum ptx_space space)
{
    struct ptx_var *v = arena_alloc(p->arena, sizeof *v);
    v->space = space;
    size_t size = 0, many = 1;
    bool predicate, pointer = false;
    while (p->t.kind == LEX_WORD && *p->t.text == '.') {
        if (lex_is(p->t, ".align")) {
            parse_step(p);
            if (!pointer) v->align = (size_t)lex_number(p->t).bits;
            parse_step(p);
        } else if (lex_is(p->t, ".attribute")) {
            parse_step(p);
            if (lex_is(p->t, "(")) lex_skip_group(&p->lex), parse_step(p);
        } else if (lex_is(p->t, ".v2") || lex_is(p->t, ".v4")) {
            many = (size_t)(p->t.text[2] - '0');
            parse_step(p);
        } else if (lex_type_size(p->t.text, p->t.size) || lex_is(p->t, ".pred")) {
            v->is_float = lex_is(p->t, ".f32") || lex_is(p->t, ".f64");
            v->untyped = lex_is(p->t, ".b32") || lex_is(p->t, ".b64");
            parse_type(p, &size, &predicate);
        } else {
            if (lex_is(p->t, ".ptr")) pointer = true;
            parse_step(p);
        }
    }
    v->name = parse_text(p);
    size_t count = 1;
    while (parse_take(p, "[")) {
        if (lex_is(p->t, "]")) v->open = true;
        else {
            size_t n = (size_t)lex_number(p->t).bits;
            count = n && count > ((size_t)1 << 40) / n ? (size_t)1 << 40 : count * n;
            parse_step(p);
        }
        parse_take(p, "]");
    }
    if (!v->align || (v->align & (v->align - 1))) v->align = size ? size * many : 1;
    if (parse_take(p, "=")) read_inits(p, v, size);
    if (v->open && v->init_count) v->open = false, count = v->init_count;
    v->size = v->open ? 0 : size * many * count;
    return v;
}

struct ptx_var *parse_params(struct parse *p, bool *odd)
{
    struct ptx_var *first = NULL, **end = &first;
    size_t at = 0;
    parse_step(p);
    while (p->t.kind != LEX_END && !lex_is(p->t, ")")) {
        if (lex_is(p->t, ".reg")) *odd = true;
        parse_step(p); // .param
        struct ptx_var *v = *end = parse_var(p, PTX_PARAM);
        end = &v->next;
        v->offset = (at + v->align - 1) / v->align * v->align;
        at = v->offset + v->size;
        if (!parse_take(p, ",") && !lex_is(p->t, ")")) break;
    }
    parse_take(p, ")");
    return first;
}

static void read_cluster(struct parse *p, uint32_t cluster[3])
{
    parse_step(p);
    for (int n = 0; n < 3; n++) cluster[n] = 1;
    for (int n = 0; n < 3 && p->t.kind == LEX_NUMBER; n++) {
        cluster[n] = (uint32_t)lex_number(p->t).bits;
        parse_step(p);
        if (!parse_take(p, ",")) return;
    }
}

static bool read_func(struct parse *p, bool entry, char error[256])
{
    struct ptx_func *f = arena_alloc(p->arena, sizeof *f);
    f->ops = &p->module->ops;
    f->entry = entry;
    parse_step(p);
    if (lex_is(p->t, "(")) f->results = parse_params(p, &f->odd_params);
    f->name = parse_text(p);
    if (lex_is(p->t, "(")) f->params = parse_params(p, &f->odd_params);
    while (p->t.kind != LEX_END && !lex_is(p->t, "{") && !lex_is(p->t, ";")) {
        if (lex_is(p->t, ".reqnctapercluster")) {
            read_cluster(p, f->cluster);
            continue;
        }
        if (lex_is(p->t, "(")) lex_skip_group(&p->lex);
        parse_step(p);
    }
    if (lex_is(p->t, "{")) {
        f->defined = true;
        parse_step(p);
        parse_body(p, f);
        if (p->t.kind == LEX_END && !lex_is(p->t, "}")) {
            snprintf(error, 256, "the PTX ends inside `%s`", f->name);
            return false;
        }
    }
    parse_step(p);
    struct ptx_func **end = &p->module->funcs;
    for (; *end; end = &(*end)->next)
        if (strcmp((*end)->name, f->name) == 0) {
            if (!f->defined) return true; // declared again
            f->next = (*end)->next;
            break;
        }
    *end = f;
    return true;
}

static enum ptx_space space_of(struct lex_token t)
{
    return lex_is(t, ".global") ? PTX_GLOBAL
        : lex_is(t, ".const")   ? PTX_CONST
        : lex_is(t, ".shared")  ? PTX_SHARED
                                : PTX_NOWHERE;
}

static void skip_line(struct parse *p)
{
    for (int line = p->t.line; p->t.kind != LEX_END && p->t.line == line;) parse_step(p);
}

struct ptx_module *ptx_module_read(struct arena *arena, const char *text, char error[256])
{
    struct parse p = {.lex = lex_start(text), .arena = arena};
    p.module = arena_alloc(arena, sizeof *p.module);
    parse_step(&p);
    if (!lex_is(p.t, ".version")) {
        snprintf(error, 256, "this is not PTX: it does not begin with `.version`");
        return NULL;
    }
    struct ptx_var **vars = &p.module->vars;
    while (p.t.kind != LEX_END) {
        enum ptx_space space = space_of(p.t);
        if (lex_is(p.t, ".version") || lex_is(p.t, ".target") || lex_is(p.t, ".file") || lex_is(p.t, ".loc"))
            skip_line(&p);
        else if (lex_is(p.t, ".entry") || lex_is(p.t, ".func")) {
            if (!read_func(&p, lex_is(p.t, ".entry"), error)) return NULL;
        } else if (space) {
            do {
                parse_step(&p);
                *vars = parse_var(&p, space);
                vars = &(*vars)->next;
            } while (lex_is(p.t, ","));
        } else if (lex_is(p.t, "{")) {
            lex_skip_group(&p.lex); // debug sections
            parse_step(&p);
        } else parse_step(&p);
    }
    return p.module;
}

const struct ptx_var *ptx_module_var(const struct ptx_module *m, const char *name)
{
    for (const struct ptx_var *v = m->vars; v; v = v->next)
        if (strcmp(v->name, name) == 0) return v;
    return NULL;
}

const struct ptx_func *ptx_module_func(const struct ptx_module *m, const char *name)
{
    for (const struct ptx_func *f = m->funcs; f; f = f->next)
        if (strcmp(f->name, name) == 0) return f;
    return NULL;
}
