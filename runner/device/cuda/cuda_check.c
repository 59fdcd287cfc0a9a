// Runs `check`, or what `expected` returns is held against, over all elements of what the last launch wrote.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include <string.h>

#include "base/clock.h"
#include "device/cuda/cuda.h"

// Holds a kernel to `access: read`: a number made of each such buffer before the verifying launch must be the same
// behind it. Only where it is another is the content made again, beside it, to name the element.

// Where copies take part, they write to the buffers that a kernel reads.
typedef bool holds(const struct cuda_device *, size_t i);

static bool is_input(const struct cuda_device *d, size_t i)
{
    return !d->point.is_copy && d->point.buffers[i].job->access == ACCESS_READ;
}

// `check` writes to nothing.
static bool is_any(const struct cuda_device *d, size_t i) { return d->point.buffers[i].flat; }

static bool digest_one(struct cuda_device *d, size_t i, size_t list, const struct device_look *look,
    struct diags *diags)
{
    const struct cuda_buffer *b = &d->point.buffers[i];
    void *from = b->flat, *to = d->checked.digests + 2 * (list * d->point.buffer_count + i);
    unsigned long long bytes = b->bytes, as = 1, part = look->part, pick = look->pick;
    void *arguments[] = {&from, &bytes, &as, &part, &pick, &to};
    return cuda_launch_over(d, d->helpers.digest, bytes / 8, arguments, diags);
}

// The number of each buffer that is held goes into list 0 or 1 on the device, and the first clears both. Nobody waits.
static bool digest(struct cuda_device *d, size_t list, const struct device_look *look, holds *held, struct diags *diags)
{
    const size_t count = d->point.buffer_count;
    if (list == 0 &&
        !cuda_ok(d, cudaMemsetAsync(d->checked.digests, 0, 32 * count, d->stream), diags, "clearing the digests"))
        return false;
    for (size_t i = 0; i < count; i++)
        if (held(d, i) && !digest_one(d, i, list, look, diags)) return false;
    return true;
}

bool cuda_inputs_note(struct cuda_device *d, const struct device_look *look, struct diags *diags)
{
    return digest(d, 0, look, is_input, diags);
}

// All that was found comes to the host at once: what `check` says, and the digests behind it.
static bool read_found(struct cuda_device *d, struct diags *diags)
{
    const size_t words = CHECK_WORDS + 4 * d->point.buffer_count;
    return cuda_ok(d,
               cudaMemcpyAsync(d->checked.found, d->checked.result, 8 * words, cudaMemcpyDeviceToHost, d->stream),
               diags, "reading what was checked") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "checking the result of `%s`", d->point.job->entry);
}

// Of those that are held the first whose number is another now; their count: there is none.
static size_t other_digest(const struct cuda_device *d, holds *held)
{
    const size_t count = d->point.buffer_count;
    const uint64_t *was = d->checked.found + CHECK_WORDS, *is = was + 2 * count;
    for (size_t i = 0; i < count; i++)
        if (held(d, i) && memcmp(was + 2 * i, is + 2 * i, 16) != 0) return i;
    return count;
}

// It looks at the flat content, which is behind what the kernel wrote to pitched memory until it is copied.
bool cuda_check_note(struct cuda_device *d, struct diags *diags)
{
    const struct device_look whole = {0};
    for (size_t i = 0; i < d->point.buffer_count; i++)
        if (is_any(d, i) && !cuda_flatten(d, &d->point.buffers[i], diags)) return false;
    return digest(d, 0, &whole, is_any, diags);
}

bool cuda_check_compare(struct cuda_device *d, struct diags *diags)
{
    const struct device_look whole = {0};
    if (!digest(d, 1, &whole, is_any, diags) || !read_found(d, diags)) return false;
    const size_t i = other_digest(d, is_any);
    if (i == d->point.buffer_count) return true;
    d->point.suspect = true;
    return diag_user(diags, (struct where){0}, "let it return whether the element is right, and write to nothing",
        "`check` writes to `%s`, which it is to look at", d->point.buffers[i].job->name);
}

// Of two words that differ, the first byte that does.
static uint64_t first_byte(const void *is, const void *was, uint64_t word)
{
    unsigned char now[4] = {0}, then[4] = {0};
    uint64_t k = 0;
    if (cudaMemcpy(now, (const char *)is + 4 * word, 4, cudaMemcpyDefault) ||
        cudaMemcpy(then, (const char *)was + 4 * word, 4, cudaMemcpyDefault))
        return 4 * word;
    while (k < 3 && now[k] == then[k]) k++;
    return 4 * word + k;
}

// Without memory for it the element is not named.
static bool first_changed(struct cuda_device *d, const struct cuda_buffer *b, uint64_t *at, struct diags *diags)
{
    struct diags unheard = {0};
    struct cuda_buffer again = *b;
    uint64_t result[2] = {0, UINT64_MAX};
    struct cuda_block *block = cuda_block_take(d, CUDA_DEVICE, b->bytes, 0, b->job->name, &unheard);
    diags_clear(&unheard);
    *at = UINT64_MAX;
    if (!block) return !d->broken;
    again.flat = block->address;
    void *is = b->flat, *was = block->address, *out = d->checked.result;
    unsigned long long words = b->bytes / 4;
    void *arguments[] = {&is, &was, &words, &out};
    again.turned = false, again.by = 0;
    const bool ok = cuda_fill(d, &again, diags) &&
        cuda_ok(d, cudaMemcpyAsync(d->checked.result, result, sizeof result, cudaMemcpyHostToDevice, d->stream), diags,
            "clearing what was checked") &&
        cuda_launch_over(d, d->helpers.compare, words, arguments, diags) &&
        cuda_ok(d, cudaMemcpyAsync(result, d->checked.result, sizeof result, cudaMemcpyDeviceToHost, d->stream), diags,
            "reading what was checked") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "looking at `%s`", b->job->name);
    if (ok && result[0]) *at = first_byte(is, was, result[1]) / b->job->element_bytes;
    cuda_block_give(d, block, 0);
    return ok;
}

static bool ask_inputs(struct cuda_device *d, const struct device_look *look, struct diags *diags)
{
    for (size_t i = 0; i < d->point.buffer_count; i++)
        if (is_input(d, i) && !cuda_flatten(d, &d->point.buffers[i], diags)) return false;
    return digest(d, 1, look, is_input, diags);
}

// Of what was read of the digests.
static bool judge_inputs(struct cuda_device *d, struct result_check *v, struct diags *diags)
{
    const size_t i = other_digest(d, is_input);
    if (i == d->point.buffer_count) return true;
    d->point.suspect = true; // its content is not kept
    v->changed = d->point.buffers[i].job->name;
    v->changed_at = UINT64_MAX; // of inputs that were made for this launch alone no other copy can be made
    return d->point.refilled || first_changed(d, &d->point.buffers[i], &v->changed_at, diags);
}

bool cuda_inputs_compare(struct cuda_device *d, struct result_check *v, struct diags *diags)
{
    const struct device_look whole = {0};
    return ask_inputs(d, &whole, diags) && read_found(d, diags) && judge_inputs(d, v, diags);
}

bool cuda_check_lay(struct cuda_device *d, int lane, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct cuda_buffer *buffers = p->buffers + (size_t)lane * p->job->buffer_count;
    struct compile_argument take_list[CUDA_ARGUMENTS];
    if (!p->job->check) return true;
    if (!cuda_contract_entry(d, "gpuexp_check", &p->check, &p->check_params, diags)) return false;
    const size_t n = compile_check_arguments(p->job, take_list, CUDA_ARGUMENTS);
    bool ok = n <= CUDA_ARGUMENTS && (int)n == p->check_params.count;
    for (size_t i = 0; ok && i < n; i++) {
        const struct compile_argument *t = &take_list[i];
        switch (t->take) {
        case TAKE_BUFFER:
            ok = cuda_params_pointer(&p->check_params, (int)i,
                buffers[(int)t->index + p->job->buffers[t->index].swapped].flat);
            break;
        case TAKE_BEFORE: ok = cuda_params_pointer(&p->check_params, (int)i, buffers[t->index].before->address); break;
        case TAKE_SCALAR: ok = cuda_params_value(&p->check_params, (int)i, p->job->scalars[t->index].value); break;
        case TAKE_TOLERANCE:
            ok = cuda_params_value(&p->check_params, (int)i, value_real(p->job->tolerance[t->index]));
            break;
        case TAKE_LENGTH:
            ok = cuda_params_value(&p->check_params, (int)i, value_int((int64_t)p->job->buffers[t->index].count));
            break;
        case TAKE_COUNT:
            ok = cuda_params_value(&p->check_params, (int)i, value_int((int64_t)p->job->check_count));
            break;
        case TAKE_RESULT: ok = cuda_params_pointer(&p->check_params, (int)i, d->checked.result); break;
        }
    }
    return ok || diag_user(diags, (struct where){0}, NULL, "the arguments of `check` do not fit what was compiled");
}

struct checked { // a lane's buffers
    struct cuda_device *d;
    const struct cuda_buffer *buffers;
};

static bool fetch(void *context, size_t i, bool before, uint64_t element, void *bytes)
{
    const struct checked *c = context;
    const struct job_buffer *b = &c->d->point.job->buffers[i];
    const struct cuda_block *was = c->buffers[i].before;
    const char *from = before ? (was ? was->address : NULL) : c->buffers[(int)i + b->swapped].flat;
    return from && !cudaMemcpy(bytes, from + element * b->element_bytes, b->element_bytes, cudaMemcpyDefault);
}

static bool run(struct cuda_device *d, uint64_t result[CHECK_WORDS], struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const size_t bytes = CHECK_WORDS * sizeof *result;
    memcpy(d->checked.found, result, bytes);
    const uint64_t part = result[CHECK_PART] > 1 ? result[CHECK_PART] : 1;
    const uint64_t blocks = (p->job->check_count + 256 * part - 1) / (256 * part),
                   most = (uint64_t)d->prop.multiProcessorCount * 32;
    const uint32_t grid[3] = {(uint32_t)(blocks < most ? blocks + !blocks : most), 1, 1}, block[3] = {256, 1, 1};
    const bool ok =
        cuda_ok(d, cudaMemcpyAsync(d->checked.result, d->checked.found, bytes, cudaMemcpyHostToDevice, d->stream),
            diags, "clearing what was checked") &&
        cuda_launch(d, p->check, grid, block, 0, d->stream, &p->check_params, diags) && read_found(d, diags);
    memcpy(result, d->checked.found, bytes);
    return ok;
}

// `spoils`: what it finds wrong was to be found, and nobody asks what stands there.
static bool check(struct cuda_device *d, int lane, const struct device_look *look, bool spoils,
    struct result_check *says, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    struct checked of = {d, p->buffers + (size_t)lane * p->job->buffer_count};
    const uint64_t pieces = p->job->check_count / 256, few = 8;
    uint64_t result[CHECK_WORDS] = {[CHECK_FIRST] = UINT64_MAX, [CHECK_ASKED] = UINT64_MAX};
    // Of so few pieces that none might be drawn all are looked at.
    result[CHECK_PART] = look->part < pieces / few ? look->part : pieces / few;
    result[CHECK_PICK] = look->pick * 0x9e3779b97f4a7c15u;             // another draw than that of the inputs
    if (p->lanes > 1 && !cuda_check_lay(d, lane, diags)) return false; // of one they are laid
    for (size_t i = 0; i < p->job->buffer_count; i++)
        if (!cuda_flatten(d, &p->buffers[(size_t)lane * p->job->buffer_count + i], diags)) return false;
    if (!run(d, result, diags)) return false;
    says->checked += p->job->check_count;
    if (result[CHECK_WRONG] && !says->wrong && !spoils) { // what was expected there is asked for once more
        says->first = result[CHECK_ASKED] = result[CHECK_FIRST];
        says->wrong = result[CHECK_WRONG];
        if (p->job->expect_count && !run(d, result, diags)) return false;
        found_fill(&says->found, p->job, result, fetch, &of);
    } else {
        says->wrong += result[CHECK_WRONG];
    }
    return true;
}

bool cuda_check(struct cuda_device *d, const struct device_look *look, struct result_check *says, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    says->verified = true;
    for (int l = 0; l < p->lanes; l++)
        if (!check(d, l, look, false, says, diags)) return false;
    p->suspect = says->wrong > 0;
    return says->wrong || cuda_base_compare(d, look, says, diags);
}

struct weak_asked { // of the first lane
    struct cuda_device *d;
    struct diags *diags;
};

static char *at(const struct cuda_point *p, size_t i, uint64_t element)
{
    const struct job_buffer *b = &p->job->buffers[i];
    return (char *)p->buffers[(int)i + b->swapped].flat + element * b->element_bytes;
}

static bool weak_fetch(void *context, size_t i, uint64_t element, void *bytes)
{
    const struct weak_asked *a = context;
    struct cuda_point *p = &a->d->point;
    return cuda_flatten(a->d, &p->buffers[(int)i + p->job->buffers[i].swapped], a->diags) &&
        cuda_ok(a->d,
            cudaMemcpyAsync(bytes, at(p, i, element), p->job->buffers[i].element_bytes, cudaMemcpyDefault,
                a->d->stream),
            a->diags, "reading `%s`", p->job->buffers[i].name) &&
        cuda_ok(a->d, cudaStreamSynchronize(a->d->stream), a->diags, "reading `%s`", p->job->buffers[i].name);
}

static bool weak_store(void *context, size_t i, uint64_t element, const void *bytes)
{
    const struct weak_asked *a = context;
    struct cuda_point *p = &a->d->point;
    return cuda_ok(a->d,
               cudaMemcpyAsync(at(p, i, element), bytes, p->job->buffers[i].element_bytes, cudaMemcpyDefault,
                   a->d->stream),
               a->diags, "writing `%s`", p->job->buffers[i].name) &&
        cuda_ok(a->d, cudaStreamSynchronize(a->d->stream), a->diags, "writing `%s`", p->job->buffers[i].name) &&
        cuda_shape(a->d, &p->buffers[(int)i + p->job->buffers[i].swapped], a->diags);
}

static bool weak_spoil(void *context, enum weak_off off)
{
    const struct weak_asked *a = context;
    struct cuda_point *p = &a->d->point;
    for (size_t i = 0; i < p->job->buffer_count; i++)
        if (p->buffers[i].job->access != ACCESS_READ && !cuda_spoil(a->d, &p->buffers[i], off == WEAK_NEAR, a->diags))
            return false;
    return true;
}

static bool weak_check(void *context, uint64_t part, uint64_t *wrong)
{
    const struct weak_asked *a = context;
    const struct device_look few = {.part = (uint32_t)part};
    struct result_check of = {0};
    const bool ok = check(a->d, 0, &few, true, &of, a->diags);
    *wrong = of.wrong;
    return ok;
}

static struct weak_device weak_of(struct weak_asked *a)
{
    return (struct weak_device){a, weak_fetch, weak_store, weak_spoil, weak_check, false};
}

void cuda_weak_note(struct cuda_device *d, struct diags *diags)
{
    struct weak_asked a = {d, diags};
    const struct weak_device of = weak_of(&a);
    if (d->point.job->check) weak_note(&d->point.spots, d->point.job, &of);
}

bool cuda_weak_ask(struct cuda_device *d, struct result_check *says, struct diags *diags)
{
    struct weak_asked a = {d, diags};
    const struct weak_device of = weak_of(&a);
    const double began = clock_seconds();
    const bool ok = says->wrong || d->point.is_copy || weak_ask(&d->point.spots, d->point.job, &of, says);
    says->weak_s = clock_seconds() - began;
    return ok;
}

bool cuda_look(struct cuda_device *d, const struct device_look *look, struct result_check *v, struct diags *diags)
{
    *v = (struct result_check){0};
    return ask_inputs(d, look, diags) && cuda_check(d, look, v, diags) && judge_inputs(d, v, diags);
}

#endif
