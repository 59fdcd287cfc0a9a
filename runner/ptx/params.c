// Finds an entry's header in the PTX text and lays its parameters out as the hardware's parameter block has them: each
// at the next multiple of its alignment.
// SPDX-License-Identifier: MIT
#include "ptx/params.h"

#include "ptx/lex.h"

#include <string.h>

static bool named(struct lex_token t, const char *name)
{
    return t.kind == LEX_WORD && strlen(name) == t.size && memcmp(t.text, name, t.size) == 0;
}

// Reads one `.param .align 8 .b8 name[24]` up to and with the ',' or ')' behind it, which is returned. False: no more.
static bool read_param(struct lex *lex, struct ptx_param *p, size_t *align, bool *last)
{
    *p = (struct ptx_param){0};
    *align = 0;
    size_t count = 1;
    bool pointer = false, any = false;
    for (;;) {
        struct lex_token t = lex_next(lex);
        if (t.kind == LEX_END || lex_is(t, ")")) {
            *last = true;
            break;
        }
        if (lex_is(t, ",")) break;
        any = true;
        if (lex_is(t, ".ptr")) pointer = true; // what follows it is the alignment of the memory, not of the parameter
        else if (lex_is(t, ".align")) {
            struct lex_token n = lex_next(lex);
            if (!pointer) *align = lex_number(n).bits;
        } else if (lex_is(t, "[")) {
            count = lex_number(lex_next(lex)).bits;
            lex_next(lex);
        } else if (t.kind == LEX_WORD && *t.text == '.' && lex_type_size(t.text, t.size)) {
            p->size = lex_type_size(t.text, t.size);
            p->is_float = lex_is(t, ".f32") || lex_is(t, ".f64");
        }
    }
    if (!*align) *align = p->size ? p->size : 1;
    p->size *= count;
    return any;
}

int ptx_params(const char *ptx, const char *entry, struct ptx_param *params, int most, size_t *total)
{
    struct lex lex = lex_start(ptx);
    for (struct lex_token t = lex_next(&lex); t.kind != LEX_END; t = lex_next(&lex)) {
        if (!lex_is(t, ".entry") || !named(lex_next(&lex), entry)) continue;
        size_t end = 0;
        int count = 0;
        struct lex ahead = lex;
        bool last = !lex_is(lex_next(&ahead), "(");
        while (!last) {
            struct ptx_param p;
            size_t align;
            if (!read_param(&ahead, &p, &align, &last)) break;
            p.offset = (end + align - 1) / align * align;
            end = p.offset + p.size;
            if (count < most) params[count] = p;
            count++;
        }
        if (total) *total = end;
        return count;
    }
    return -1;
}

void ptx_entries(const char *ptx, char *names, size_t size)
{
    size_t used = 0;
    if (size) *names = 0;
    struct lex lex = lex_start(ptx);
    for (struct lex_token t = lex_next(&lex); t.kind != LEX_END; t = lex_next(&lex)) {
        if (!lex_is(t, ".entry")) continue;
        t = lex_next(&lex);
        if (used + t.size + 3 > size) return;
        if (used) memcpy(names + used, ", ", 2), used += 2;
        memcpy(names + used, t.text, t.size);
        used += t.size;
        names[used] = 0;
    }
}
