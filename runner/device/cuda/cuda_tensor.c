// Tensor maps: 128 bytes by which a GPU's copy unit finds boxes of a buffer, made by the driver, which alone knows how
// they are written.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

#include <string.h>

bool cuda_tensor_used(const struct job *job)
{
    for (size_t l = 0; l < job_launches(job) && !job->map_count; l++) {
        const struct job_launch it = job_launch(job, l);
        for (size_t i = 0; i < it.argument_count; i++)
            if (it.arguments[i].tensor) return true;
    }
    return job->map_count > 0;
}

#if CUDA_VERSION >= 12000
static bool type_of(const struct job_buffer *b, CUtensorMapDataType *type)
{
    static const struct {
        const char *scalar;
        CUtensorMapDataType type;
    } list[] = {{"float", CU_TENSOR_MAP_DATA_TYPE_FLOAT32}, {"double", CU_TENSOR_MAP_DATA_TYPE_FLOAT64},
        {"half", CU_TENSOR_MAP_DATA_TYPE_FLOAT16}, {"__nv_bfloat16", CU_TENSOR_MAP_DATA_TYPE_BFLOAT16},
        {"int", CU_TENSOR_MAP_DATA_TYPE_INT32}, {"long long", CU_TENSOR_MAP_DATA_TYPE_INT64}};
    static const CUtensorMapDataType bytes[9] = {[1] = CU_TENSOR_MAP_DATA_TYPE_UINT8,
        [2] = CU_TENSOR_MAP_DATA_TYPE_UINT16,
        [4] = CU_TENSOR_MAP_DATA_TYPE_UINT32,
        [8] = CU_TENSOR_MAP_DATA_TYPE_UINT64};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(b->scalar, list[i].scalar) == 0) return *type = list[i].type, true;
    const uint64_t size = b->element_bytes / (uint64_t)b->lanes; // whole numbers without a sign, and small ones
    if (size > 8 || (size & (size - 1))) return false;
    *type = bytes[size];
    return true;
}

static bool encode(const struct cuda_buffer *b, const struct job_argument *a, void *tiles, void *pixels,
    CUtensorMap *map)
{
    static const CUtensorMapSwizzle swizzles[] = {[0] = CU_TENSOR_MAP_SWIZZLE_NONE,
        [1] = CU_TENSOR_MAP_SWIZZLE_32B,
        [2] = CU_TENSOR_MAP_SWIZZLE_64B,
        [4] = CU_TENSOR_MAP_SWIZZLE_128B};
    static const CUtensorMapL2promotion promotions[] = {[0] = CU_TENSOR_MAP_L2_PROMOTION_NONE,
        [1] = CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
        [2] = CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        [4] = CU_TENSOR_MAP_L2_PROMOTION_L2_256B};
    const struct job_tensor *t = a->tensor;
    const cuuint64_t own[] = {b->pitch, b->slice};
    cuuint64_t size[TENSOR_RANK], stride[TENSOR_RANK];
    cuuint32_t box[TENSOR_RANK], step[TENSOR_RANK];
    CUtensorMapDataType type;
    for (uint32_t i = 0; i < t->rank; i++) {
        size[i] = t->size[i], box[i] = t->box[i], step[i] = t->step[i];
        if (i) stride[i - 1] = t->own ? own[i < 3 ? i - 1 : 1] : t->stride[i];
    }
    __typeof__(&cuTensorMapEncodeTiled) make_tiles;
    __typeof__(&cuTensorMapEncodeIm2col) make_pixels;
    memcpy(&make_tiles, &tiles, sizeof make_tiles);
    memcpy(&make_pixels, &pixels, sizeof make_pixels);
    const CUtensorMapFloatOOBfill fill =
        t->nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    const CUtensorMapSwizzle swizzle = swizzles[t->swizzle / 32];
    const CUtensorMapL2promotion promotion = promotions[t->promote / 64];
    void *address = (char *)b->address + a->offset;
    if (!type_of(b->job, &type)) return false;
    if (t->images)
        return make_pixels(map, type, t->rank, address, size, stride, t->lower, t->upper, box[0], box[1], step,
                   CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, promotion, fill) == CUDA_SUCCESS;
    return make_tiles(map, type, t->rank, address, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
               promotion, fill) == CUDA_SUCCESS;
}

// A pointer gets a map that lies in memory until the point ends.
static bool lay_beside(struct cuda_device *d, const CUtensorMap *map, const char *name, struct cuda_params *to, int i)
{
    enum { MOST_MAPS = 512 };
    struct cuda_point *p = &d->point;
    struct diags ignored = {0};
    if (!p->maps) p->maps = cuda_block_take(d, CUDA_DEVICE, MOST_MAPS * sizeof *map, 0, name, &ignored);
    diags_clear(&ignored);
    if (!p->maps || p->map_count == MOST_MAPS) return false;
    char *const at = (char *)p->maps->address + p->map_count++ * sizeof *map;
    return cudaMemcpy(at, map, sizeof *map, cudaMemcpyHostToDevice) == cudaSuccess && cuda_params_pointer(to, i, at);
}

bool cuda_tensor_make(const struct cuda_buffer *b, const struct job_argument *a, void *to)
{
    CUtensorMap map; // aligned by its type
    void *tiles = NULL, *pixels = NULL;
    const bool good = cuda_driver_named("cuTensorMapEncodeTiled", &tiles) &&
        cuda_driver_named("cuTensorMapEncodeIm2col", &pixels) && encode(b, a, tiles, pixels, &map);
    if (good) memcpy(to, &map, sizeof map);
    return good;
}

bool cuda_tensor_lay(struct cuda_device *d, const struct cuda_buffer *b, const struct job_argument *a,
    struct cuda_params *to, int i)
{
    CUtensorMap map;
    const bool pointer = strchr(a->type, '*');
    if (i >= to->count || to->list[i].size != (pointer ? sizeof(void *) : sizeof map) || !cuda_tensor_make(b, a, &map))
        return false;
    if (pointer) return lay_beside(d, &map, a->name, to, i);
    memcpy(to->bytes + to->list[i].offset, &map, sizeof map);
    return true;
}
#else
bool cuda_tensor_make(const struct cuda_buffer *b, const struct job_argument *a, void *to)
{
    (void)b, (void)a, (void)to;
    return false; // built with a CUDA that has none
}

bool cuda_tensor_lay(struct cuda_device *d, const struct cuda_buffer *b, const struct job_argument *a,
    struct cuda_params *to, int i)
{
    (void)d, (void)b, (void)a, (void)to, (void)i;
    return false; // built with a CUDA that has none
}
#endif
#endif
