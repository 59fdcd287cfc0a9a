// The arguments of a launch, and what its code is asked for before.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

#include <math.h>
#include <string.h>

static bool argument_lay(struct cuda_device *d, struct cuda_params *to, int i, const struct job_argument *a, int lane)
{
    struct cuda_point *p = &d->point;
    if (a->report >= 0) return cuda_params_pointer(to, i, (uint64_t *)p->reports->address + a->report);
    if (a->buffer < 0) return cuda_params_typed(to, i, a->type, a->value);
    const struct cuda_buffer *b = &p->buffers[(size_t)lane * p->job->buffer_count + (size_t)a->buffer];
    if (a->part == PART_ADDRESS) return cuda_params_pointer(to, i, (char *)b->address + a->offset);
    if (a->part == PART_TENSOR) return cuda_tensor_lay(d, b, a, to, i);
    return cuda_params_value(to, i, value_int((int64_t)(a->part == PART_PITCH ? b->pitch : b->slice)));
}

struct word_places {
    struct cuda_point *point;
    const struct cuda_buffer *buffers; // of a lane
};

static bool find_word(void *context, bool map, size_t which, void *to)
{
    const struct word_places *f = context;
    const struct job_argument *a = map ? &f->point->job->maps[which] : NULL;
    if (map) return cuda_tensor_make(&f->buffers[a->buffer], a, to);
    memcpy(to, &f->buffers[which].address, sizeof(void *));
    return true;
}

bool cuda_arguments_lay(struct cuda_device *d, int lane, const struct job_launch *l, const unsigned char *made,
    struct cuda_params *to, struct diags *diags)
{
    const struct where nowhere = {0};
    if (!cuda_params_lay(d, l->entry, to, diags)) return false;
    if ((size_t)to->count != l->argument_count)
        return diag_user(diags, nowhere, NULL, "`%s` takes %d arguments as compiled, %zu as described", l->entry,
            to->count, l->argument_count);
    for (size_t i = 0; i < l->argument_count; i++) {
        const struct job_argument *a = &l->arguments[i];
        const struct ptx_param *at = &to->list[i];
        struct word_places words = {&d->point, &d->point.buffers[(size_t)lane * d->point.job->buffer_count]};
        const bool good = a->words ? pack_words(a->words, to->bytes + at->offset, at->size, find_word, &words)
            : a->code              ? at->size <= COMPILE_MADE_BYTES
                                   : argument_lay(d, to, (int)i, a, lane);
        if (good && a->code) memcpy(to->bytes + at->offset, made + COMPILE_MADE_BYTES * a->made, at->size);
        if (!good)
            return diag_user(diags, nowhere, NULL, "argument `%s` of `%s` cannot be passed as %s", a->name, l->entry,
                a->type);
    }
    return true;
}

// The module may have been used by a point with other wishes.
static bool dress_code(struct cuda_device *d, CUfunction f, struct diags *diags)
{
    const double share = asks_number(d->point.job, SETTING_CARVEOUT, -1);
    const uint32_t *c = d->point.manner.cluster;
    if ((share >= 0 || d->loaded.carved) &&
        !cuda_ok_driver(d,
            d->driver.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                share < 0 ? -1 : (int)lround(100 * share)),
            diags, "setting the carveout"))
        return false;
    d->loaded.carved |= share >= 0;
    return c[0] * c[1] * c[2] <= 8 ||
        cuda_ok_driver(d, d->driver.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
            diags, "asking for clusters of %u blocks", c[0] * c[1] * c[2]);
}

// More than 48 KiB have to be asked for, and what the code declares itself counts to them.
static bool may_use_shared(struct cuda_device *d, CUfunction f, uint32_t bytes, struct diags *diags)
{
    return !bytes ||
        cuda_ok_driver(d, d->driver.cuFuncSetAttribute(f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)bytes),
            diags, "asking for %u bytes of dynamic shared memory", bytes);
}

bool cuda_dress(struct cuda_device *d, CUfunction f, uint32_t shared, struct diags *diags)
{
    return dress_code(d, f, diags) && may_use_shared(d, f, shared, diags);
}
#endif
