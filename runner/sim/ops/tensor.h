// Copies by a tensor map: boxes of a tensor in global memory, to shared memory and back. The 128 bytes of such a map
// are the simulator's own, each field for itself; numbers mean what they mean in `tensormap.replace`.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

enum { SIM_TENSOR_RANK = 5, SIM_TENSOR_BYTES = 128 };
enum sim_tensor_type { // of an element
    SIM_TENSOR_U8,
    SIM_TENSOR_U16,
    SIM_TENSOR_U32,
    SIM_TENSOR_S32,
    SIM_TENSOR_U64,
    SIM_TENSOR_S64,
    SIM_TENSOR_F16,
    SIM_TENSOR_F32,
    SIM_TENSOR_F32_FTZ,
    SIM_TENSOR_F64,
    SIM_TENSOR_BF16,
    SIM_TENSOR_TF32,
    SIM_TENSOR_TF32_FTZ,
    SIM_TENSOR_TYPES
};
struct sim_tensor {
    uint64_t mark; // SIM_TENSOR_MARK, or 0: a kernel made it from nothing
    uint64_t address;
    uint64_t stride[SIM_TENSOR_RANK - 1]; // bytes from one to the next in all directions but x
    uint32_t size[SIM_TENSOR_RANK];       // elements, x first; 0: 2^32
    uint16_t box[SIM_TENSOR_RANK];        // of images: channels, pixels
    uint8_t step[SIM_TENSOR_RANK];        // takes every so-many-th of the box
    uint8_t top;                          // its rank less one
    uint8_t type;                         // enum sim_tensor_type
    uint8_t swizzle;                      // 0: none; else of 16 bytes shifted left by it
    uint8_t nan;                          // what is outside is no number
    uint8_t interleave;                   // none but 0 is known here
    uint8_t images;                       // im2col: pixels between these corners, of those of the image
    int16_t lower[SIM_TENSOR_RANK - 2], upper[SIM_TENSOR_RANK - 2];
    uint32_t high; // nothing; the hardware has the highest bits of the strides here
};
#define SIM_TENSOR_MARK 0x70616d726f736e74u
_Static_assert(sizeof(struct sim_tensor) <= SIM_TENSOR_BYTES, "a tensor map is 128 bytes");

// What a map says, as a copy needs it.
struct tensor_view {
    uint64_t address, size[SIM_TENSOR_RANK], stride[SIM_TENSOR_RANK]; // stride[0]: bytes of an element
    uint32_t box[SIM_TENSOR_RANK], step[SIM_TENSOR_RANK];
    int32_t lower[SIM_TENSOR_RANK - 2], upper[SIM_TENSOR_RANK - 2];
    uint32_t rank, bytes, type, swizzle; // bytes of an element; of a swizzle's span, 0: none
    bool nan, images;
};

extern const struct op tensor_ops[];
