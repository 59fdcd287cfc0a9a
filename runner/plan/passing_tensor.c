// What an argument that is a tensor map says at this point: sizes, strides and the box as numbers. What the driver
// would refuse, or what would reach beyond the buffer, is refused here, where the reason can be told.
// SPDX-License-Identifier: MIT
#include "plan/asks.h"
#include "plan/job_inside.h"
#include "spec/tensor_words.h"

#include <string.h>

typedef unsigned long long ull;

static const struct source_expr *at(const struct tensor *t, enum tensor_list which, uint32_t i)
{
    return &t->lists[which][i];
}

// Where the corner of a filter goes, of each direction but the channels and the images.
static bool corners_read(const struct expr_site *s, const struct passed *p, struct job_tensor *out)
{
    static const int64_t most[TENSOR_RANK + 1] = {[3] = 32768, [4] = 128, [5] = 16};
    static const enum tensor_list lists[] = {TENSOR_LOWER, TENSOR_UPPER};
    static const char *const names[] = {"lower", "upper"};
    for (uint32_t i = 0; out->images && i < 2 * (out->rank - 2); i++) {
        const struct source_expr *e = at(p->tensor, lists[i % 2], i / 2);
        const int64_t limit = most[out->rank];
        struct value v;
        if (!eval_expr(s, e, &v)) return false;
        if (v.kind != VALUE_INT || v.i < -limit || v.i >= limit)
            return eval_wrong(s, e->at, "`%s` of `%s` is no whole number from %lld to %lld", names[i % 2], p->name,
                (long long)-limit, (long long)limit - 1);
        *(i % 2 ? &out->upper[i / 2] : &out->lower[i / 2]) = (int32_t)v.i;
    }
    return true;
}

static bool box_read(const struct expr_site *s, const struct passed *p, struct job_tensor *out)
{
    const struct tensor *t = p->tensor;
    const char *box = arena_printf(s->arena, "the box of `%s`", p->name);
    const char *step = arena_printf(s->arena, "the step of `%s`", p->name);
    for (uint32_t i = 0; i < out->rank; i++) {
        uint64_t n = 1;
        const uint64_t most = out->images && i ? 1024 : 256;
        if (i < (uint32_t)t->counts[TENSOR_BOX] && !eval_whole(s, at(t, TENSOR_BOX, i), box, 1, &n)) return false;
        if (n > most)
            return eval_wrong(s, at(t, TENSOR_BOX, i)->at, "%s has %llu %s: at most %llu", box, (ull)n,
                most > 256 ? "pixels" : "elements", (ull)most);
        out->box[i] = (uint32_t)n;
        n = 1;
        if (t->counts[TENSOR_STEP] && !eval_whole(s, at(t, TENSOR_STEP, i), step, 1, &n)) return false;
        if (n > 8) return eval_wrong(s, at(t, TENSOR_STEP, i)->at, "%s is %llu: at most 8", step, (ull)n);
        if (!i && n > 1)
            return eval_wrong(s, at(t, TENSOR_STEP, 0)->at, "%s is %llu along x: a copy takes all of a row", step,
                (ull)n);
        out->step[i] = (uint32_t)n;
    }
    const uint32_t row = out->box[0] * out->bytes;
    return row % 16 == 0 ||
        eval_wrong(s, at(t, TENSOR_BOX, 0)->at, "a row of the box of `%s` is %u bytes: it must be a multiple of 16",
            p->name, row);
}

static bool size_read(const struct expr_site *s, const struct passed *p, const struct job_buffer *b,
    struct job_tensor *out)
{
    const struct tensor *t = p->tensor;
    const char *size = arena_printf(s->arena, "the size of `%s`", p->name);
    for (uint32_t i = 0; i < out->rank; i++) {
        out->size[i] = i ? b->extent[i < 3 ? i : 2] : b->extent[0] * (uint64_t)b->lanes;
        if (t->counts[TENSOR_SIZE] && !eval_whole(s, at(t, TENSOR_SIZE, i), size, 1, &out->size[i])) return false;
        if (out->size[i] > (uint64_t)1 << 32)
            return eval_wrong(s, p->at, "%s is %llu elements: at most 4294967296 in a direction", size,
                (ull)out->size[i]);
    }
    return true;
}

static bool stride_read(const struct expr_site *s, const struct passed *p, const struct job_buffer *b,
    struct job_tensor *out)
{
    const struct tensor *t = p->tensor;
    const char *stride = arena_printf(s->arena, "the stride of `%s`", p->name);
    out->stride[0] = out->bytes;
    out->own = !t->counts[TENSOR_SIZE] && !t->counts[TENSOR_STRIDE] && asks_memory_of(b, "pitched");
    for (uint32_t i = 1; i < out->rank && !out->own; i++) {
        uint64_t n = 0;
        const struct source_expr *e = at(t, TENSOR_STRIDE, i - 1);
        const struct where where = t->counts[TENSOR_STRIDE] ? e->at : p->at;
        bool fits = true;
        if (t->counts[TENSOR_STRIDE]) {
            if (!eval_whole(s, e, stride, 1, &n)) return false;
            fits = !__builtin_mul_overflow(n, out->bytes, &n);
        } else fits = !__builtin_mul_overflow(out->stride[i - 1], out->size[i - 1], &n);
        if (!fits || n >= (uint64_t)1 << 40)
            return eval_wrong(s, where, "%s leads further than a tensor map can tell: 1 TiB", stride);
        if (n % 16) return eval_wrong(s, where, "%s is %llu bytes: it must be a multiple of 16", stride, (ull)n);
        out->stride[i] = n;
    }
    return true;
}

// The last byte that the map describes lies in the buffer.
static bool stays_inside(const struct expr_site *s, const struct passed *p, const struct job_buffer *b, uint64_t offset,
    const struct job_tensor *t)
{
    uint64_t last = t->bytes;
    for (uint32_t i = 0; i < t->rank && !t->own; i++) last += (t->size[i] - 1) * t->stride[i]; // below 2^75: see above
    for (uint32_t i = 0; i < t->rank && !t->own; i++)
        if (t->size[i] > 1 && t->stride[i] > b->bytes / (t->size[i] - 1)) last = UINT64_MAX;
    if (t->own || (last <= b->bytes && offset <= b->bytes - last)) return true;
    return eval_wrong(s, p->tensor->of.at, "`%s` describes more of `%s` than its %llu bytes", p->name, b->name,
        (ull)b->bytes);
}

static bool words_read(const struct expr_site *s, const struct passed *p, struct job_tensor *out)
{
    static const uint32_t known[TENSOR_WORDS][5] = {{0, 32, 64, 128, 0}, {0, 64, 128, 256, 0}};
    static const char *const names[TENSOR_WORDS] = {"swizzle", "promote"};
    uint32_t *const to[TENSOR_WORDS] = {&out->swizzle, &out->promote};
    for (int w = 0; w < TENSOR_WORDS; w++) {
        const struct source_expr *e = &p->tensor->words[w];
        uint64_t n = 0;
        if (e->text && !eval_whole(s, e, arena_printf(s->arena, "`%s` of `%s`", names[w], p->name), 0, &n))
            return false;
        bool found = false;
        for (int i = 0; i < 4; i++) found |= known[w][i] == n;
        if (!found)
            return eval_wrong(s, e->at, "`%s` of `%s` is %llu: it is 0, %u, %u or %u", names[w], p->name, (ull)n,
                known[w][1], known[w][2], known[w][3]);
        *to[w] = (uint32_t)n;
    }
    const uint32_t row = out->box[0] * out->bytes;
    if (out->swizzle && row > out->swizzle)
        return eval_wrong(s, p->tensor->words[TENSOR_SWIZZLE].at,
            "a row of the box of `%s` is %u bytes: `swizzle: %u` takes at most as many", p->name, row, out->swizzle);
    return true;
}

bool passing_tensor(const struct expr_site *s, const struct kernel *k, const struct job *job, const struct passed *p,
    struct job_argument *a)
{
    struct job_tensor *t = arena_alloc(s->arena, sizeof *t);
    bool is_one = false;
    if (!passing_offset(s, k, job, &p->tensor->of, a, &is_one) || !is_one) return false; // told when it was read
    const struct job_buffer *b = &job->buffers[a->buffer];
    const bool real = b->scalar &&
        (strcmp(b->scalar, "float") == 0 || strcmp(b->scalar, "double") == 0 || strcmp(b->scalar, "half") == 0 ||
            strcmp(b->scalar, "__nv_bfloat16") == 0);
    a->part = PART_TENSOR;
    a->tensor = t;
    t->rank = (uint32_t)tensor_words_rank(p->tensor);
    t->images = p->tensor->counts[TENSOR_LOWER] > 0;
    t->bytes = (uint32_t)(b->element_bytes / (uint64_t)b->lanes);
    t->nan = p->tensor->nan;
    if (t->nan && !real)
        return eval_wrong(s, p->at, "`outside: nan` of `%s` is for floats, and `%s` holds %s", p->name, b->name,
            b->type);
    if (asks_memory_of(b, "texture") || asks_memory_of(b, "surface") || asks_memory_of(b, "symbol") ||
        asks_memory_of(b, "constant"))
        return eval_wrong(s, p->at, "no tensor map describes `%s`: `memory.%s` is %s", b->name, b->name, b->memory);
    if (a->offset % 16)
        return eval_wrong(s, p->tensor->of.at, "`%s` begins at byte %llu of `%s`: it must be a multiple of 16", p->name,
            (ull)a->offset, b->name);
    return size_read(s, p, b, t) && corners_read(s, p, t) && box_read(s, p, t) && stride_read(s, p, b, t) &&
        words_read(s, p, t) && stays_inside(s, p, b, a->offset, t);
}
