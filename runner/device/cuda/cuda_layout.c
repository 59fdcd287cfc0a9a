// Memory that is not a flat block of cuda_memory.c: rows at a pitch, variables of the source (`__constant__`,
// `__device__`), textures on arrays. Content is made and checked in a flat block beside it and copied over; the kernel
// sees only the shaped one.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cuda/cuda.h"
#include "device/texels.h"
#include "ptx/module.h"
#include "ptx/params.h"

// Variables of the source: what a launch leaves there the next one finds, unless they are put back.

// One that the source gives no value is zero: of that no copy has to be kept.
static bool keep(struct cuda_device *d, CUmodule module, const struct ptx_var *of, struct cuda_loaded *l,
    struct diags *diags)
{
    CUdeviceptr address;
    size_t bytes;
    const char *name = of->name;
    // What the machine code has dropped cannot carry anything from launch to launch.
    if (d->driver.cuModuleGetGlobal(&address, &bytes, module, name)) return true;
    l->variables = mem_resize(l->variables, (l->variable_count + 1) * sizeof *l->variables);
    struct cuda_variable *v = &l->variables[l->variable_count];
    *v = (struct cuda_variable){.address = (void *)(uintptr_t)address, .bytes = bytes};
    if (!of->init_count) return ++l->variable_count;
    if (!cuda_ok(d, cudaMalloc(&v->kept, bytes), diags, "keeping the first content of `%s`", name)) return false;
    l->variable_count++;
    return cuda_ok(d, cudaMemcpyAsync(v->kept, v->address, bytes, cudaMemcpyDeviceToDevice, d->stream), diags,
        "keeping the first content of `%s`", name);
}

bool cuda_variables_keep(struct cuda_device *d, struct cuda_loaded *l, struct diags *diags)
{
    char error[256];
    const char *ptx = l->code->ptx;
    bool ok = true;
    // A line begins so where a variable is; most sources have none, and a PTX can be long.
    if (!strstr(ptx, "\n.global ") && !strstr(ptx, "\n.visible .global ") && !strstr(ptx, "\n.weak .global "))
        return true;
    LOCAL(arena_drop) struct arena *a = arena_new();
    const struct ptx_module *m = ptx_module_read(a, ptx, error);
    // Constants of the standard headers are some sixty variables that no code names; to put all of them back took a
    // third of a millisecond each time.
    for (const struct ptx_var *v = m ? m->vars : NULL; v && ok; v = v->next)
        if (v->space == PTX_GLOBAL && ptx_named_again(ptx, v->name)) ok = keep(d, l->module, v, l, diags);
    return ok;
}

void cuda_variables_free(struct cuda_loaded *l)
{
    for (size_t i = 0; i < l->variable_count; i++) cudaFree(l->variables[i].kept);
    free(l->variables);
    l->variables = NULL;
    l->variable_count = 0;
}

static bool is_buffer(const struct cuda_point *p, const void *address)
{
    for (size_t i = 0; i < p->buffer_count; i++)
        if (p->buffers[i].address == address) return true;
    return false;
}

bool cuda_variables_reset(struct cuda_device *d, struct diags *diags)
{
    for (size_t i = 0; i < d->loaded.variable_count; i++) {
        const struct cuda_variable *v = &d->loaded.variables[i];
        if (is_buffer(&d->point, v->address)) continue;
        const cudaError_t error = v->kept
            ? cudaMemcpyAsync(v->address, v->kept, v->bytes, cudaMemcpyDeviceToDevice, d->stream)
            : cudaMemsetAsync(v->address, 0, v->bytes, d->stream);
        if (!cuda_ok(d, error, diags, "resetting a variable of the source")) return false;
    }
    return true;
}

enum cuda_kind cuda_kind_of(const struct job_buffer *b)
{
    static const struct {
        const char *name;
        enum cuda_kind kind;
    } kinds[] = {{"managed", CUDA_MANAGED}, {"mapped", CUDA_MAPPED}, {"pool", CUDA_POOL}, {"peer", CUDA_PEER},
        {"pitched", CUDA_PITCHED}, {"symbol", CUDA_SYMBOL}, {"constant", CUDA_SYMBOL}, {"texture", CUDA_TEXTURE}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (b->memory && strcmp(b->memory, kinds[i].name) == 0) return kinds[i].kind;
    return CUDA_DEVICE;
}

bool cuda_kind_shaped(enum cuda_kind kind)
{
    return kind == CUDA_PITCHED || kind == CUDA_SYMBOL || kind == CUDA_TEXTURE;
}

static bool channels(const struct job_buffer *b, struct cudaChannelFormatDesc *desc)
{
    static const enum cudaChannelFormatKind kinds[] = {
        cudaChannelFormatKindFloat, cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned};
    struct texels t;
    if (!texels_of(b, &t)) return false;
    *desc = (struct cudaChannelFormatDesc){
        t.bits, t.channels > 1 ? t.bits : 0, t.channels > 2 ? t.bits : 0, t.channels > 2 ? t.bits : 0, kinds[t.kind]};
    return true;
}

static void texture_unfit(struct cuda_device *d, const struct job *job, const struct job_buffer *b, char why[256])
{
    // What a texture is made for stands in the source alone.
    const bool layers = strstr(job->source, "DLayered") || strstr(job->source, "texCubemap");
    const int *most1 = &d->prop.maxTexture1D, *most2 = d->prop.maxTexture2D, *most3 = d->prop.maxTexture3D;
    const int *most = b->rank == 1 ? most1 : b->rank == 2 ? most2 : most3;
    uint64_t sizes[3] = {0};
    for (int i = 0; i < b->rank; i++) sizes[i] = (uint64_t)most[i];
    texels_unfit(job, b, sizes, "this GPU", why);
    if (!*why && layers)
        snprintf(why, 256, "`%s`: textures of layers and cubes: the simulator alone has them as yet (`-d sim`)",
            b->name);
}

void cuda_layout_unfit(struct cuda_device *d, const struct job *job, char why[256])
{
    for (size_t i = 0; i < job->buffer_count && !*why; i++) {
        const struct job_buffer *b = &job->buffers[i];
        const enum cuda_kind kind = cuda_kind_of(b);
        if (kind == CUDA_PITCHED && b->rank == 1)
            snprintf(why, 256, "`memory: pitched`: `%s` has no rows; its `count` is one number", b->name);
        if (asks_memory_of(b, "surface"))
            snprintf(why, 256, "`memory: surface`: the simulator alone has them as yet (`-d sim`)");
        if (kind == CUDA_TEXTURE) texture_unfit(d, job, b, why);
        if (cuda_kind_shaped(kind) && kind != CUDA_PITCHED && asks_whole(job, SETTING_STREAMS, 1) > 1 &&
            asks_is(job, SETTING_TIMED, "launch"))
            snprintf(why, 256, "`streams` above 1 needs a buffer for each launch: `%s` is a %s", b->name, b->memory);
    }
}

static bool pitched_prepare(struct cuda_device *d, struct cuda_buffer *b, struct diags *diags)
{
    const struct job_buffer *j = b->job;
    struct cudaPitchedPtr rows;
    const struct cudaExtent extent = {j->extent[0] * j->element_bytes, j->extent[1], j->extent[2]};
    if (!cuda_ok(d, cudaMalloc3D(&rows, extent), diags, "allocating pitched memory for `%s`", j->name)) return false;
    b->address = rows.ptr;
    b->pitch = rows.pitch;
    b->slice = rows.pitch * j->extent[1];
    return true;
}

// A file that has both kinds calls them table_constant and table_symbol; else it is called like the buffer.
static bool symbol_prepare(struct cuda_device *d, struct cuda_buffer *b, struct diags *diags)
{
    char name[160];
    CUdeviceptr at = 0;
    size_t size = 0;
    snprintf(name, sizeof name, "%s_%s", b->job->name, b->job->memory);
    if (d->driver.cuModuleGetGlobal(&at, &size, d->loaded.module, name) != CUDA_SUCCESS)
        snprintf(name, sizeof name, "%s", b->job->name);
    if (!at && d->driver.cuModuleGetGlobal(&at, &size, d->loaded.module, name) != CUDA_SUCCESS)
        return diag_user(diags, (struct where){0}, NULL, "`memory: %s`: the source has no variable `%s` or `%s_%s`",
            b->job->memory, name, name, b->job->memory);
    if (size < b->bytes)
        return diag_user(diags, (struct where){0}, NULL, "the variable `%s` has %zu bytes, the buffer `%s` %zu", name,
            size, b->job->name, b->bytes);
    b->address = (void *)(uintptr_t)at;
    return true;
}

static bool texture_prepare(struct cuda_device *d, struct cuda_buffer *b, struct diags *diags)
{
    const struct job *job = d->point.job;
    const struct job_buffer *j = b->job;
    struct cudaChannelFormatDesc desc;
    const struct cudaExtent extent = {j->extent[0], j->rank > 1 ? j->extent[1] : 0, j->rank > 2 ? j->extent[2] : 0};
    if (!channels(j, &desc)) return false; // cuda_layout_unfit has said so
    if (!cuda_ok(d, cudaMalloc3DArray(&b->array, &desc, extent, 0), diags, "allocating an array for `%s`", j->name))
        return false;
    static const enum cudaTextureAddressMode modes[] = {
        cudaAddressModeClamp, cudaAddressModeBorder, cudaAddressModeWrap, cudaAddressModeMirror};
    const enum cudaTextureAddressMode mode = modes[texels_wrap(job)];
    const struct cudaResourceDesc resource = {.resType = cudaResourceTypeArray, .res.array.array = b->array};
    const struct cudaTextureDesc how = {.addressMode = {mode, mode, mode},
        .filterMode = asks_is(job, SETTING_TEXTURE_FILTER, "linear") ? cudaFilterModeLinear : cudaFilterModePoint,
        .readMode = cudaReadModeElementType,
        .normalizedCoords = asks_true(job, SETTING_TEXTURE_NORMALIZED)};
    if (!cuda_ok(d, cudaCreateTextureObject(&b->texture, &resource, &how, NULL), diags, "making a texture of `%s`",
            j->name))
        return false;
    b->address = (void *)(uintptr_t)b->texture;
    return true;
}

bool cuda_layout_prepare(struct cuda_device *d, struct cuda_buffer *b, struct diags *diags)
{
    b->address = b->flat;
    b->pitch = b->job->extent[0] * b->job->element_bytes;
    b->slice = b->pitch * b->job->extent[1];
    switch (cuda_kind_of(b->job)) {
    case CUDA_PITCHED: return pitched_prepare(d, b, diags);
    case CUDA_SYMBOL: return symbol_prepare(d, b, diags);
    case CUDA_TEXTURE: return texture_prepare(d, b, diags);
    default: return true;
    }
}

void cuda_layout_finish(struct cuda_buffer *b)
{
    if (b->texture) cudaDestroyTextureObject(b->texture);
    if (b->array) cudaFreeArray(b->array);
    if (b->address && b->address != b->flat && cuda_kind_of(b->job) == CUDA_PITCHED) cudaFree(b->address);
}

bool cuda_layout_copy(struct cuda_device *d, const struct cuda_buffer *b, void *dense, bool in, cudaStream_t stream,
    struct diags *diags)
{
    const struct job_buffer *j = b->job;
    const enum cuda_kind kind = cuda_kind_of(j);
    if (kind != CUDA_PITCHED && kind != CUDA_TEXTURE) {
        void *to = in ? b->address : dense, *from = in ? dense : b->address;
        return cuda_ok(d, cudaMemcpyAsync(to, from, b->bytes, cudaMemcpyDefault, stream), diags, "copying `%s`",
            j->name);
    }
    const size_t row = j->extent[0] * j->element_bytes;
    const struct cudaPitchedPtr flat = {dense, row, row, j->extent[1]},
                                rows = {b->address, b->pitch, row, j->extent[1]};
    struct cudaMemcpy3DParms p = {.extent = {row, j->extent[1], j->extent[2]}, .kind = cudaMemcpyDefault};
    if (kind == CUDA_TEXTURE) p.extent.width = j->extent[0]; // with an array in it, a copy counts elements
    if (in) p.srcPtr = flat;
    else p.dstPtr = flat;
    if (kind == CUDA_TEXTURE && in) p.dstArray = b->array;
    else if (kind == CUDA_TEXTURE) p.srcArray = b->array;
    else if (in) p.dstPtr = rows;
    else p.srcPtr = rows;
    return cuda_ok(d, cudaMemcpy3DAsync(&p, stream), diags, "copying `%s`", j->name);
}

#endif
