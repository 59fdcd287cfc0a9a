// Reads a PTX text from the outside: directives, variables with initialisers, function headers.
// SPDX-License-Identifier: MIT
#include "ptx/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "ptx/parse.h"

static struct ptx_var *parse_var(struct parse *, enum ptx_space);

static bool parse_type(struct parse *, size_t *size, bool *predicate);

static char *parse_text(struct parse *);

static bool parse_take(struct parse *, const char *mark);

static const struct ptx_var *ptx_module_var(const struct ptx_module *, const char *name);

// Reads a function's body: registers, local variables, labels, call sequences in their { } scopes, source lines,
// instructions.

struct decl { // `.reg .b32 %r<39>` or `.reg .b32 x`
    const char *name;
    size_t length;
    size_t count; // 0: the one register `name`
    int first;
    int scope;
};

struct label {
    const char *name;
    int scope, at;
    struct ptx_operand *targets; // of `.branchtargets`
    int target_count;
};

struct body {
    struct parse *p;
    struct ptx_func *f;
    struct decl *decls;
    size_t decl_count, decl_room;
    struct label *labels;
    size_t label_count, label_room;
    int *parents; // of each scope; scope 0 is the function's own
    size_t scope_count, scope_room;
    int scope, line;
    int depth;   // of the operand that is read
    bool rolled; // `.pragma "nounroll"` stands before the next instruction
};

static int find_register(const struct body *b, struct lex_token t)
{
    for (size_t i = b->decl_count; i-- > 0;) {
        const struct decl *d = &b->decls[i];
        if (t.size < d->length || memcmp(t.text, d->name, d->length) != 0) continue;
        if (!d->count) {
            if (t.size == d->length) return d->first;
            continue;
        }
        size_t n = 0, at = d->length;
        if (at == t.size || (t.text[at] == '0' && at + 1 < t.size)) continue;
        while (at < t.size && t.text[at] >= '0' && t.text[at] <= '9' && n < 1 << 24)
            n = n * 10 + (size_t)(t.text[at++] - '0');
        if (at == t.size && n < d->count) return d->first + (int)n;
    }
    return -1;
}

static const struct ptx_var *find_var(const struct body *b, const char *name)
{
    const struct ptx_var *lists[] = {b->f->locals, b->f->params, b->f->results};
    for (int i = 0; i < 3; i++)
        for (const struct ptx_var *v = lists[i]; v; v = v->next)
            if (strcmp(v->name, name) == 0) return v;
    return ptx_module_var(b->p->module, name);
}

static void read_registers(struct body *b)
{
    struct parse *p = b->p;
    size_t size;
    bool predicate;
    parse_step(p);
    while (lex_is(p->t, ".v2") || lex_is(p->t, ".v4")) parse_step(p);
    if (!parse_type(p, &size, &predicate)) size = 16; // a type that is not known
    do {
        struct decl d = {p->t.text, p->t.size, 0, (int)b->f->reg_count, b->scope};
        parse_step(p);
        if (parse_take(p, "<")) {
            d.count = (size_t)lex_number(p->t).bits;
            if (d.count > 1 << 20) d.count = 1 << 20;
            parse_step(p);
            parse_take(p, ">");
        }
        size_t more = d.count ? d.count : 1;
        mem_grow(&b->f->regs, &b->f->reg_room, b->f->reg_count + more, sizeof *b->f->regs);
        for (size_t i = 0; i < more; i++) b->f->regs[b->f->reg_count++].size = (uint8_t)size;
        mem_grow(&b->decls, &b->decl_room, b->decl_count + 1, sizeof *b->decls);
        b->decls[b->decl_count++] = d;
    } while (parse_take(p, ","));
}

// `.loc 1 12 3, function_name $L__info_string0, inlined_at 1 20 5`. A line of another file (a header's) is replaced by
// the place in the main file where it was inlined, if that is given; else the last known line stays.
static void read_loc(struct body *b)
{
    struct parse *p = b->p;
    int at = p->t.line, n[6] = {0}, got = 0;
    for (parse_step(p); p->t.kind != LEX_END && p->t.line == at; parse_step(p)) {
        if (lex_is(p->t, "inlined_at")) got = 3;
        else if (p->t.kind == LEX_NUMBER && got < 6 && *p->t.text != '$') n[got++] = (int)lex_number(p->t).bits;
    }
    if (!b->p->main_file) b->p->main_file = n[3] ? n[3] : n[0];
    if (n[0] == p->main_file && n[1]) b->line = n[1];
    else if (n[3] == p->main_file && n[4]) b->line = n[4];
}

static bool read_operand(struct body *b, struct ptx_operand *o);

// The items up to `close`; the opening mark has been read.
static bool read_list(struct body *b, struct ptx_operand *o, const char *close)
{
    struct ptx_operand items[PTX_MOST_ITEMS];
    o->kind = PTX_VECTOR;
    while (!lex_is(b->p->t, close)) {
        if (o->count == PTX_MOST_ITEMS || !read_operand(b, &items[o->count++])) return false;
        if (!parse_take(b->p, ",") && !lex_is(b->p->t, close)) return false;
    }
    parse_step(b->p);
    o->items = arena_copy(b->p->arena, items, (size_t)o->count * sizeof *items);
    return true;
}

static bool read_offset(struct parse *p, int64_t *offset)
{
    while (lex_is(p->t, "+") || lex_is(p->t, "-")) {
        bool minus = lex_is(p->t, "-");
        parse_step(p);
        minus ^= parse_take(p, "-");
        if (p->t.kind != LEX_NUMBER) return false;
        uint64_t n = lex_number(p->t).bits;
        *offset = (int64_t)((uint64_t)*offset + (minus ? 0 - n : n));
        parse_step(p);
    }
    return true;
}

// "%r1.b2": a byte or half of a register, for the video instructions.
static int find_part(struct body *b, struct lex_token t, uint8_t *part)
{
    const char *end = t.text + t.size;
    if (t.size < 4 || end[-3] != '.' || (end[-2] != 'b' && end[-2] != 'h')) return -1;
    const int n = end[-1] - '0';
    if (n < 0 || n > (end[-2] == 'b' ? 3 : 1)) return -1;
    *part = (uint8_t)(n + (end[-2] == 'b' ? 1 : 5));
    t.size -= 3;
    return find_register(b, t);
}

static bool read_name(struct body *b, struct ptx_operand *o)
{
    struct parse *p = b->p;
    o->reg = find_register(b, p->t);
    if (o->reg < 0) o->reg = find_part(b, p->t, &o->part);
    if (o->reg >= 0) {
        o->kind = PTX_REGISTER;
        parse_step(p);
        return true;
    }
    o->kind = PTX_NAME;
    o->name = parse_text(p);
    o->var = find_var(b, o->name);
    o->special = o->var ? NULL : ops_special(o->name);
    o->origin = o->special ? o->special->origin : 0;
    return true;
}

static bool read_address(struct body *b, struct ptx_operand *o)
{
    struct parse *p = b->p;
    if (p->t.kind == LEX_NUMBER) {
        o->offset = (int64_t)lex_number(p->t).bits;
        parse_step(p);
    } else if (p->t.kind != LEX_WORD || !read_name(b, o)) return false;
    o->kind = PTX_ADDRESS;
    if (!read_offset(p, &o->offset)) return false;
    if (parse_take(p, ",")) { // coordinates: of a texture, a surface or a tensor
        struct ptx_operand *at = arena_alloc(p->arena, sizeof *at);
        if (!read_operand(b, at)) return false;
        o->items = at->kind == PTX_VECTOR ? at->items : at;
        o->count = at->kind == PTX_VECTOR ? at->count : 1;
    }
    return parse_take(p, "]");
}

// "a|b": two results.
static bool read_second(struct body *b, struct ptx_operand *o)
{
    if (!parse_take(b->p, "|")) return true;
    struct ptx_operand pair[2] = {*o};
    if (!read_operand(b, &pair[1])) return false;
    *o = (struct ptx_operand){.kind = PTX_PAIR, .reg = -1, .label = -1, .count = 2};
    o->items = arena_copy(b->p->arena, pair, sizeof pair);
    return true;
}

static bool read_one(struct body *b, struct ptx_operand *o)
{
    struct parse *p = b->p;
    *o = (struct ptx_operand){.reg = -1, .label = -1};
    o->negated = parse_take(p, "!");
    if (parse_take(p, "{")) return read_list(b, o, "}") && read_second(b, o);
    if (parse_take(p, "(")) return read_list(b, o, ")");
    if (parse_take(p, "[")) return read_address(b, o);
    bool minus = parse_take(p, "-");
    if (p->t.kind == LEX_NUMBER) {
        struct lex_value v = lex_number(p->t);
        *o = (struct ptx_operand){
            .kind = PTX_NUMBER, .reg = -1, .label = -1, .float_size = v.float_size, .bits = v.bits};
        if (minus) o->bits = v.float_size == 8 ? v.bits ^ 1ull << 63 : v.float_size ? v.bits ^ 1u << 31 : 0 - v.bits;
        parse_step(p);
        return true;
    }
    if (p->t.kind != LEX_WORD || minus) return false;
    if (lex_is(p->t, "_")) {
        o->kind = PTX_SINK;
        parse_step(p);
    } else if (!read_name(b, o) || (o->kind == PTX_NAME && !read_offset(p, &o->offset))) return false;
    return read_second(b, o);
}

// A list in an address is the deepest that PTX has; what is deeper must not use up the stack.
static bool read_operand(struct body *b, struct ptx_operand *o)
{
    enum { DEEPEST = 4 };
    if (b->depth == DEEPEST) return false;
    b->depth++;
    const bool good = read_one(b, o);
    b->depth--;
    return good;
}

static void read_inst(struct body *b)
{
    struct parse *p = b->p;
    struct ptx_inst in = {.guard = -1, .line = b->line, .scope = b->scope, .rolled = b->rolled};
    b->rolled = false;
    if (parse_take(p, "@")) {
        in.guard_not = parse_take(p, "!");
        in.guard = find_register(b, p->t);
        if (in.guard < 0) in.odd = true;
        parse_step(p);
    }
    in.op = ops_of(&p->module->ops, p->arena, p->t.text, p->t.size);
    parse_step(p);
    struct ptx_operand operands[16];
    for (int i = 0; i < 16; i++) operands[i] = (struct ptx_operand){.kind = PTX_SINK, .reg = -1, .label = -1};
    while (p->t.kind != LEX_END && !lex_is(p->t, ";") && !lex_is(p->t, "}")) {
        if (in.count == 16 || !read_operand(b, &operands[in.count])) {
            in.odd = true;
            // What was read of it is no operand: a list may have a count and no items yet.
            if (in.count < 16) operands[in.count] = (struct ptx_operand){.kind = PTX_SINK, .reg = -1, .label = -1};
            while (p->t.kind != LEX_END && !lex_is(p->t, ";")) parse_step(p);
            break;
        }
        in.count++;
        if (!parse_take(p, ",") && !lex_is(p->t, ";") && operands[in.count - 1].kind != PTX_VECTOR) in.odd = true;
    }
    parse_take(p, ";");
    const int kept = in.count < PTX_LEAST_OPERANDS ? PTX_LEAST_OPERANDS : in.count;
    in.operands = arena_copy(p->arena, operands, (size_t)kept * sizeof *operands);
    mem_grow(&b->f->insts, &b->f->inst_room, b->f->inst_count + 1, sizeof *b->f->insts);
    b->f->insts[b->f->inst_count++] = in;
}

static void read_local(struct body *b, enum ptx_space space)
{
    do {
        parse_step(b->p);
        struct ptx_var *v = parse_var(b->p, space);
        v->next = b->f->locals; // the newest first, so that the `param0` of a call sequence hides the one before
        b->f->locals = v;
    } while (lex_is(b->p->t, ","));
    parse_take(b->p, ";");
}

static void read_pragma(struct body *b)
{
    parse_step(b->p);
    const struct lex_token t = b->p->t;
    b->rolled |= t.kind == LEX_STRING && t.size == 8 && memcmp(t.text, "nounroll", 8) == 0;
}

// A label or an instruction: it begins with a word.
static void read_word(struct body *b)
{
    struct parse *p = b->p;
    struct lex ahead = p->lex;
    if (!lex_is(lex_next(&ahead), ":")) {
        read_inst(b);
        return;
    }
    struct label l = {parse_text(p), b->scope, (int)b->f->inst_count, NULL, 0};
    parse_step(p);
    if (parse_take(p, ".branchtargets")) {
        struct ptx_operand targets[1] = {{0}}, list[256];
        while (p->t.kind == LEX_WORD && l.target_count < 256) {
            read_operand(b, targets);
            list[l.target_count++] = targets[0];
            parse_take(p, ",");
        }
        l.targets = arena_copy(p->arena, list, (size_t)l.target_count * sizeof *list);
    } else if (lex_is(p->t, ".callprototype") || lex_is(p->t, ".calltargets"))
        while (p->t.kind != LEX_END && !lex_is(p->t, ";")) parse_step(p);
    mem_grow(&b->labels, &b->label_room, b->label_count + 1, sizeof *b->labels);
    b->labels[b->label_count++] = l;
}

static const struct label *find_label(const struct body *b, const char *name, int scope)
{
    for (;; scope = b->parents[scope]) {
        for (size_t i = 0; i < b->label_count; i++)
            if (b->labels[i].scope == scope && strcmp(b->labels[i].name, name) == 0) return &b->labels[i];
        if (scope == 0) return NULL;
    }
}

static void resolve(struct body *b, struct ptx_operand *o, int scope)
{
    if (o->kind != PTX_NAME || o->var) return;
    const struct label *l = find_label(b, o->name, scope);
    if (!l) return;
    if (l->targets) {
        o->items = l->targets;
        o->count = l->target_count;
        for (int i = 0; i < o->count; i++) resolve(b, &o->items[i], scope);
        return;
    }
    o->label = l->at;
    if ((size_t)l->at < b->f->inst_count) b->f->insts[l->at].leads = true;
}

static void open_scope(struct body *b)
{
    mem_grow(&b->parents, &b->scope_room, b->scope_count + 1, sizeof *b->parents);
    b->parents[b->scope_count] = b->scope;
    b->scope = (int)b->scope_count++;
}

static void close_scope(struct body *b)
{
    while (b->decl_count && b->decls[b->decl_count - 1].scope == b->scope) b->decl_count--;
    b->scope = b->parents[b->scope];
}

static void *settle(struct parse *p, void *items, size_t bytes)
{
    void *kept = arena_copy(p->arena, items, bytes);
    free(items);
    return kept;
}

// From after '{' to after '}'
static void parse_body(struct parse *p, struct ptx_func *f)
{
    struct body b = {.p = p, .f = f};
    open_scope(&b);
    while (p->t.kind != LEX_END) {
        if (lex_is(p->t, "}")) {
            if (b.scope == 0) break;
            close_scope(&b);
            parse_step(p);
        } else if (parse_take(p, "{")) open_scope(&b);
        else if (lex_is(p->t, ".reg")) read_registers(&b);
        else if (lex_is(p->t, ".loc")) read_loc(&b);
        else if (lex_is(p->t, ".shared")) read_local(&b, PTX_SHARED);
        else if (lex_is(p->t, ".local")) read_local(&b, PTX_LOCAL);
        else if (lex_is(p->t, ".param")) read_local(&b, PTX_PARAM);
        else if (lex_is(p->t, ".pragma")) read_pragma(&b);
        else if (p->t.kind == LEX_WORD && *p->t.text == '.') {
            for (int line = p->t.line; p->t.kind != LEX_END && p->t.line == line;) parse_step(p);
        } else if (p->t.kind == LEX_WORD || lex_is(p->t, "@")) read_word(&b);
        else parse_step(p);
    }
    for (size_t i = 0; i < f->inst_count; i++)
        for (int k = 0; k < f->insts[i].count; k++) resolve(&b, &f->insts[i].operands[k], f->insts[i].scope);
    f->insts = settle(p, f->insts, f->inst_count * sizeof *f->insts);
    f->regs = settle(p, f->regs, f->reg_count * sizeof *f->regs);
    free(b.decls);
    free(b.labels);
    free(b.parents);
}

void parse_step(struct parse *p) { p->t = lex_next(&p->lex); }

// Skips the mark if it is the current token
static bool parse_take(struct parse *p, const char *mark)
{
    if (!lex_is(p->t, mark)) return false;
    parse_step(p);
    return true;
}

// A copy of the current token, which is skipped
static char *parse_text(struct parse *p)
{
    char *s = arena_strndup(p->arena, p->t.text, p->t.size);
    if (p->t.kind != LEX_END) parse_step(p);
    return s;
}

static bool parse_type(struct parse *p, size_t *size, bool *predicate)
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

// From the token after `.global`, `.shared`, `.param`, … up to the token after the declarator and its initialiser.
static struct ptx_var *parse_var(struct parse *p, enum ptx_space space)
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

static const struct ptx_var *ptx_module_var(const struct ptx_module *m, const char *name)
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
