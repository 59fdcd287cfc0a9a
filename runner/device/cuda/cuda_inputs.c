// Holds a kernel to `access: read`: a number made of each such buffer before the verifying launch must be the same
// behind it. Only where it is another is the content made again, beside it, to name the element.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

#include <string.h>

// Where copies take part, they write to the buffers that a kernel reads.
typedef bool holds(const struct cuda_device *, size_t i);

static bool is_input(const struct cuda_device *d, size_t i)
{
    return !d->point.is_copy && d->point.buffers[i].job->access == ACCESS_READ;
}

// `check` writes to nothing.
static bool is_any(const struct cuda_device *d, size_t i) { return d->point.buffers[i].flat; }

static bool digest_one(struct cuda_device *d, size_t i, int list, const struct device_look *look, struct diags *diags)
{
    const struct cuda_buffer *b = &d->point.buffers[i];
    void *from = b->flat, *to = d->digests[list] + 2 * i;
    unsigned long long bytes = b->bytes, as = 1, part = look->part, pick = look->pick;
    void *arguments[] = {&from, &bytes, &as, &part, &pick, &to};
    return cuda_launch_helper(d, d->digest, (unsigned)d->prop.multiProcessorCount * 8, 256, d->stream, arguments,
        diags);
}

// The number of each buffer that is held goes into the first or the second list on the device. Nobody waits for it.
static bool digest(struct cuda_device *d, int list, const struct device_look *look, holds *held, struct diags *diags)
{
    const size_t count = d->point.buffer_count;
    if (!cuda_ok(d, cudaMemsetAsync(d->digests[list], 0, 16 * count, d->stream), diags, "clearing the digests"))
        return false;
    for (size_t i = 0; i < count; i++)
        if (held(d, i) && !digest_one(d, i, list, look, diags)) return false;
    return true;
}

bool cuda_inputs_note(struct cuda_device *d, const struct device_look *look, struct diags *diags)
{
    return digest(d, 0, look, is_input, diags);
}

static bool read_digests(struct cuda_device *d, uint64_t was[CUDA_BUFFERS][2], uint64_t is[CUDA_BUFFERS][2],
    struct diags *diags)
{
    const size_t bytes = d->point.buffer_count * sizeof *is;
    return cuda_ok(d, cudaMemcpyAsync(was, d->digests[0], bytes, cudaMemcpyDeviceToHost, d->stream), diags,
               "reading the digests") &&
        cuda_ok(d, cudaMemcpyAsync(is, d->digests[1], bytes, cudaMemcpyDeviceToHost, d->stream), diags,
            "reading the digests") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "making digests of what is only read");
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
    uint64_t was[CUDA_BUFFERS][2], is[CUDA_BUFFERS][2];
    const struct device_look whole = {0};
    if (!digest(d, 1, &whole, is_any, diags) || !read_digests(d, was, is, diags)) return false;
    for (size_t i = 0; i < d->point.buffer_count; i++) {
        if (!is_any(d, i) || memcmp(was[i], is[i], sizeof *is) == 0) continue;
        d->point.suspect = true;
        return diag_user(diags, (struct where){0}, "let it return whether the element is right, and write to nothing",
            "`check` writes to `%s`, which it is to look at", d->point.buffers[i].job->name);
    }
    return true;
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
    struct cuda_block *block = cuda_block_take(d, CUDA_DEVICE, b->bytes, 0, b->job->name, true, &unheard);
    diags_clear(&unheard);
    *at = UINT64_MAX;
    if (!block) return !d->broken;
    again.flat = block->address;
    void *is = b->flat, *was = block->address, *out = d->result;
    unsigned long long words = b->bytes / 4;
    void *arguments[] = {&is, &was, &words, &out};
    again.turned = false, again.by = 0;
    const bool ok = cuda_fill(d, &again, diags) &&
        cuda_ok(d, cudaMemcpyAsync(d->result, result, sizeof result, cudaMemcpyHostToDevice, d->stream), diags,
            "clearing the verdict") &&
        cuda_launch_helper(d, d->compare, (unsigned)d->prop.multiProcessorCount * 8, 256, d->stream, arguments,
            diags) &&
        cuda_ok(d, cudaMemcpyAsync(result, d->result, sizeof result, cudaMemcpyDeviceToHost, d->stream), diags,
            "reading the verdict") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "looking at `%s`", b->job->name);
    if (ok && result[0]) *at = first_byte(is, was, result[1]) / b->job->element_bytes;
    cuda_block_give(d, block, 0);
    return ok;
}

bool cuda_inputs_compare(struct cuda_device *d, const struct device_look *look, struct result_check *v,
    struct diags *diags)
{
    uint64_t was[CUDA_BUFFERS][2], is[CUDA_BUFFERS][2];
    const size_t count = d->point.buffer_count;
    for (size_t i = 0; i < count; i++)
        if (is_input(d, i) && !cuda_flatten(d, &d->point.buffers[i], diags)) return false;
    if (!digest(d, 1, look, is_input, diags) || !read_digests(d, was, is, diags)) return false;
    for (size_t i = 0; i < count; i++) {
        struct cuda_buffer *b = &d->point.buffers[i];
        if (!is_input(d, i) || memcmp(was[i], is[i], sizeof *is) == 0) continue;
        d->point.suspect = true; // its content is not kept
        v->changed = b->job->name;
        v->changed_at = UINT64_MAX; // of inputs that were made for this launch alone no other copy can be made
        return d->point.refilled || first_changed(d, b, &v->changed_at, diags);
    }
    return true;
}
#endif
