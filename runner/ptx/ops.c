// Reads mnemonics, each of a module once.
// SPDX-License-Identifier: MIT
#include "ptx/ops.h"

#include "base/special.h"
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

static const struct ptx_special specials[] = {{"%tid.x", SPECIAL_TID_X, ORIGIN_THREAD, 0},
    {"%tid.y", SPECIAL_TID_Y, ORIGIN_THREAD, 0}, {"%tid.z", SPECIAL_TID_Z, ORIGIN_THREAD, 0},
    {"%ntid.x", SPECIAL_NTID_X, ORIGIN_LAUNCH, 0}, {"%ntid.y", SPECIAL_NTID_Y, ORIGIN_LAUNCH, 0},
    {"%ntid.z", SPECIAL_NTID_Z, ORIGIN_LAUNCH, 0}, {"%ctaid.x", SPECIAL_CTAID_X, ORIGIN_BLOCK, 0},
    {"%ctaid.y", SPECIAL_CTAID_Y, ORIGIN_BLOCK, 0}, {"%ctaid.z", SPECIAL_CTAID_Z, ORIGIN_BLOCK, 0},
    {"%nctaid.x", SPECIAL_NCTAID_X, ORIGIN_LAUNCH, 0}, {"%nctaid.y", SPECIAL_NCTAID_Y, ORIGIN_LAUNCH, 0},
    {"%nctaid.z", SPECIAL_NCTAID_Z, ORIGIN_LAUNCH, 0}, {"%laneid", SPECIAL_LANE, ORIGIN_LANE, 0},
    {"%warpid", SPECIAL_WARP, ORIGIN_LANE, 0}, {"%nwarpid", SPECIAL_WARPS, 0, 0},
    {"%lanemask_eq", SPECIAL_MASK_EQ, ORIGIN_LANE, 0}, {"%lanemask_lt", SPECIAL_MASK_LT, ORIGIN_LANE, 0},
    {"%lanemask_le", SPECIAL_MASK_LE, ORIGIN_LANE, 0}, {"%lanemask_gt", SPECIAL_MASK_GT, ORIGIN_LANE, 0},
    {"%lanemask_ge", SPECIAL_MASK_GE, ORIGIN_LANE, 0}, {"%smid", SPECIAL_SM, ORIGIN_PLACE, 0},
    {"%nsmid", SPECIAL_CONSTANT, 0, 1}, {"%gridid", SPECIAL_CONSTANT, 0, 1},
    {"%current_graph_exec", SPECIAL_CONSTANT, 0, 0}, {"WARP_SZ", SPECIAL_CONSTANT, 0, 32},
    {"%clock", SPECIAL_CLOCK, ORIGIN_TIME, 0}, {"%clock64", SPECIAL_CLOCK, ORIGIN_TIME, 0},
    {"%clock_hi", SPECIAL_CLOCK, ORIGIN_TIME, 1}, {"%globaltimer", SPECIAL_CLOCK, ORIGIN_TIME, 0},
    {"%globaltimer_lo", SPECIAL_CLOCK, ORIGIN_TIME, 0}, {"%globaltimer_hi", SPECIAL_CLOCK, ORIGIN_TIME, 1},
    {"%dynamic_smem_size", SPECIAL_DYNAMIC_SHARED, 0, 0}, {"%total_smem_size", SPECIAL_TOTAL_SHARED, 0, 0},
    {"%aggr_smem_size", SPECIAL_TOTAL_SHARED, 0, 0}, {"%reserved_smem_offset_begin", SPECIAL_RESERVED, 0, 0},
    {"%reserved_smem_offset_end", SPECIAL_RESERVED, 0, RESERVED_SHARED},
    {"%reserved_smem_offset_0", SPECIAL_RESERVED, 0, 0}, {"%reserved_smem_offset_1", SPECIAL_RESERVED, 0, 512},
    {"%reserved_smem_offset_cap", SPECIAL_CONSTANT, 0, RESERVED_SHARED},
    {"%clusterid.x", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_ID},
    {"%clusterid.y", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_ID + 1},
    {"%clusterid.z", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_ID + 2},
    {"%nclusterid.x", SPECIAL_CLUSTER, ORIGIN_SYSTEM, CLUSTER_GRID},
    {"%nclusterid.y", SPECIAL_CLUSTER, ORIGIN_SYSTEM, CLUSTER_GRID + 1},
    {"%nclusterid.z", SPECIAL_CLUSTER, ORIGIN_SYSTEM, CLUSTER_GRID + 2},
    {"%cluster_ctaid.x", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_PLACE},
    {"%cluster_ctaid.y", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_PLACE + 1},
    {"%cluster_ctaid.z", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_PLACE + 2},
    {"%cluster_nctaid.x", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_SIZE},
    {"%cluster_nctaid.y", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_SIZE + 1},
    {"%cluster_nctaid.z", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_SIZE + 2},
    {"%cluster_ctarank", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_RANK},
    {"%cluster_nctarank", SPECIAL_CLUSTER, ORIGIN_CLUSTER, CLUSTER_COUNT},
    {"%is_explicit_cluster", SPECIAL_CLUSTER, ORIGIN_SYSTEM, CLUSTER_EXPLICIT},
    {"%envreg1", SPECIAL_CLUSTER, ORIGIN_SYSTEM, CLUSTER_WORKSPACE_HIGH},
    {"%envreg2", SPECIAL_CLUSTER, ORIGIN_SYSTEM, CLUSTER_WORKSPACE_LOW}};

const struct ptx_special *ops_special(const char *name)
{
    for (size_t k = 0; (*name == '%' || *name == 'W') && k < sizeof specials / sizeof *specials; k++)
        if (strcmp(specials[k].name, name) == 0) return &specials[k];
    return NULL;
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
