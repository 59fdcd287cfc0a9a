// Copies by a tensor map: boxes of a tensor in global memory, to shared memory and back. The 128 bytes of such a map
// are the simulator's own; what a GPU's driver writes there is not documented.
// SPDX-License-Identifier: MIT
#ifndef SIM_TENSOR_H
#define SIM_TENSOR_H
#include "sim/exec.h"

enum { SIM_TENSOR_RANK = 5, SIM_TENSOR_BYTES = 128 };
enum sim_tensor_type { // of an element, for reductions
    SIM_TENSOR_UNSIGNED,
    SIM_TENSOR_SIGNED,
    SIM_TENSOR_FLOAT,
    SIM_TENSOR_BFLOAT
};
struct sim_tensor {
    uint64_t mark; // SIM_TENSOR_MARK
    uint64_t address;
    uint64_t size[SIM_TENSOR_RANK];   // elements, x first
    uint64_t stride[SIM_TENSOR_RANK]; // bytes from one to the next
    uint16_t box[SIM_TENSOR_RANK];
    uint8_t step[SIM_TENSOR_RANK]; // takes every so-many-th of the box
    uint8_t rank, bytes;           // of an element
    uint8_t type, swizzle;         // enum sim_tensor_type; bytes, 0: none
    uint8_t nan;                   // what is outside is no number
};
#define SIM_TENSOR_MARK 0x70616d726f736e74u
_Static_assert(sizeof(struct sim_tensor) <= SIM_TENSOR_BYTES, "a tensor map is 128 bytes");

extern const struct op tensor_ops[];
#endif
