// Reads mnemonics, each of a module once.
// SPDX-License-Identifier: MIT
#include "ptx/ops.h"

#include "base/arena.h"
#include "ptx/lex.h"

#include <string.h>

static const struct ops_row {
    const char *text;
    uint32_t class;
    uint8_t result, cost;
} rows[OPS_COUNT] = {{"", CLASS_OTHER, RESULT_FIRST, COST_ONE},
#define X(name, text, class, result, cost) {text, CLASS_##class, RESULT_##result, COST_##cost},
    OPS_TABLE(X)
#undef X
};

static const char *const part_texts[WORD_COUNT] = {"",
#define X(name, text) text,
    OPS_WORDS_TABLE(X)
#undef X
};

// The longest row that the mnemonic begins with, whole words of it.
static enum ops_code code_of(const char *text)
{
    enum ops_code found = OPS_UNKNOWN;
    size_t most = 0;
    for (int k = 1; k < OPS_COUNT; k++) {
        const size_t n = strlen(rows[k].text);
        if (n <= most || strncmp(rows[k].text, text, n) != 0 || (text[n] && text[n] != '.')) continue;
        found = (enum ops_code)k;
        most = n;
    }
    return found;
}

static enum ops_word part_of(const char *word)
{
    for (int k = 1; k < WORD_COUNT; k++)
        if (*part_texts[k] == *word && strcmp(part_texts[k], word) == 0) return (enum ops_word)k;
    return WORD_UNKNOWN;
}

static enum ptx_space space_of(enum ops_word part)
{
    switch (part) {
    case WORD_GLOBAL: return PTX_GLOBAL;
    case WORD_CONST: return PTX_CONST;
    case WORD_SHARED:
    case WORD_SHARED_CTA:
    case WORD_SHARED_CLUSTER: return PTX_SHARED;
    case WORD_LOCAL: return PTX_LOCAL;
    case WORD_PARAM:
    case WORD_PARAM_ENTRY:
    case WORD_PARAM_FUNC: return PTX_PARAM;
    default: return PTX_NOWHERE;
    }
}

// The first word is the root, whatever it says: `st.async` is no `async`.
static void read_words(struct ptx_op *op, struct arena *arena)
{
    const size_t all = strlen(op->name);
    char *words = arena_copy(arena, op->name, all + 1);
    op->words = words;
    for (size_t at = 0; at < all && at < UINT8_MAX && op->count < OPS_WORDS; op->count++) {
        const size_t n = strcspn(words + at, ".");
        words[at + n] = 0;
        op->word[op->count] = (uint8_t)at;
        const enum ops_word part = op->count ? part_of(words + at) : WORD_UNKNOWN;
        op->part[op->count] = (uint8_t)part;
        if (part) op->has[part / 64] |= (uint64_t)1 << part % 64;
        if (!op->space) op->space = (uint8_t)space_of(part);
        at += n + 1;
    }
    const uint8_t last = op->count ? op->part[op->count - 1] : WORD_UNKNOWN;
    op->type = last <= WORD_LAST_TYPE ? last : WORD_UNKNOWN;
}

static struct ptx_op *read_one(struct arena *arena, const char *text, size_t length)
{
    struct ptx_op *op = arena_alloc(arena, sizeof *op);
    char *name = arena_alloc(arena, length + 1);
    memcpy(name, text, length);
    op->name = name;
    read_words(op, arena);
    op->code = (uint8_t)code_of(name);
    const struct ops_row *row = &rows[op->code];
    op->class = row->class, op->cost = row->cost;
    op->has_result = row->result == RESULT_FIRST || (row->result == RESULT_IF_RED && ops_has(op, WORD_RED));
    op->strong = ops_has(op, WORD_VOLATILE) || ops_has(op, WORD_RELAXED) || ops_has(op, WORD_ACQUIRE) ||
        ops_has(op, WORD_RELEASE) || ops_has(op, WORD_MMIO);
    return op;
}

const struct ptx_op *ops_of(struct ops_read *known, struct arena *arena, const char *text, size_t length)
{
    uint32_t hash = 0;
    for (size_t k = 0; k < length; k++) hash = hash * 31 + (unsigned char)text[k];
    struct ptx_op **at = &known->first[(hash ^ hash >> 7) % (sizeof known->first / sizeof *known->first)];
    for (; *at; at = &(*at)->next)
        if (strncmp((*at)->name, text, length) == 0 && !(*at)->name[length]) return *at;
    return *at = read_one(arena, text, length);
}

int ops_which(const struct ptx_op *op, const enum ops_word *parts)
{
    int found = -1;
    for (int k = 0; parts[k]; k++)
        if (ops_has(op, parts[k])) found = k;
    return found;
}

uint32_t ops_bytes(enum ops_word type)
{
    return type <= WORD_LAST_TYPE ? (uint32_t)lex_type_size(part_texts[type], strlen(part_texts[type])) : 0;
}

unsigned ops_origin(const char *name)
{
    static const struct {
        const char *begins;
        unsigned origin;
    } named[] = {{"%tid", ORIGIN_THREAD}, {"%laneid", ORIGIN_LANE}, {"%lanemask", ORIGIN_LANE},
        {"%warpid", ORIGIN_LANE}, {"%ctaid", ORIGIN_BLOCK}, {"%cluster", ORIGIN_CLUSTER},
        {"%nclusterid", ORIGIN_SYSTEM}, {"%is_explicit_cluster", ORIGIN_SYSTEM}, {"%ntid", ORIGIN_LAUNCH},
        {"%nctaid", ORIGIN_LAUNCH}, {"%smid", ORIGIN_PLACE}, {"%clock", ORIGIN_TIME}, {"%globaltimer", ORIGIN_TIME},
        {"%envreg", ORIGIN_SYSTEM}};
    for (size_t k = 0; *name == '%' && k < sizeof named / sizeof *named; k++)
        if (strncmp(name, named[k].begins, strlen(named[k].begins)) == 0) return named[k].origin;
    return 0;
}

const char *ops_text(enum ops_word part) { return part_texts[part]; }

bool ops_has_float(const struct ptx_op *op) { return ops_has(op, WORD_F32) || ops_has(op, WORD_F64); }

uint32_t ops_turns(const struct ptx_op *op)
{
    const bool is_double = ops_has(op, WORD_F64), approx = ops_has(op, WORD_APPROX);
    switch ((enum ops_cost)op->cost) {
    case COST_ONE: return 1;
    case COST_FMA: return is_double ? 2 : 1;
    case COST_CONVERT: return is_double ? 4 : 1;
    case COST_SPECIAL: return 4;
    case COST_RECIPROCAL: return approx ? 4 : 8;
    case COST_ROOT: return is_double ? 24 : approx ? 4 : 10;
    case COST_DIVIDE: break;
    }
    if (is_double) return 24;
    if (ops_has(op, WORD_U64) || ops_has(op, WORD_S64)) return 70;
    return approx ? 4 : ops_has(op, WORD_FULL) ? 6 : ops_has(op, WORD_F32) ? 10 : 20;
}
