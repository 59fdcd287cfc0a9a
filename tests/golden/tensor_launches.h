// The launches of tensor.cu, for its main and for the test that does the same on the simulator: kernel, element, and
// what the tensor map says. Strides are in bytes; `at` is where the first block's box begins, `dx` how far apart the
// blocks' boxes are, `bytes` what the barrier expects, `place` where in shared memory the box lies.
// SPDX-License-Identifier: MIT
#include <string.h>
struct tensor_launch {
    const char *kernel;
    char type; // f d h b: float, double, half, bfloat16; c s u l: unsigned of 1, 2, 4, 8 bytes; i L: int, long long
    unsigned rank, size[5], stride[5], box[5], step[5], swizzle, nan;
    int at[5], dx;
    unsigned bytes, place;
};
#define ONES {1, 1, 1, 1, 1}
static const struct tensor_launch tensor_launches[] = {
    // Boxes inside, over each edge, wholly outside.
    {"ld1", 'f', 1, {1000}, {0}, {64}, ONES, 0, 0, {0}, 300, 256, 0},
    {"ld1", 'f', 1, {1003}, {0}, {256}, ONES, 0, 0, {-20}, 340, 1024, 128},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {0, 0}, 8, 1024, 0},
    {"ld2", 'f', 2, {61, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-8, 44}, 28, 1024, 0},
    {"ld2", 'f', 2, {61, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {0, -3}, 20, 1024, 256},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-100, 100}, 4, 1024, 0},
    {"ld3", 'f', 3, {36, 10, 7}, {0, 144, 1440}, {16, 4, 3}, ONES, 0, 0, {-4, 8, 5}, 12, 768, 0},
    {"ld4", 'h', 4, {40, 6, 5, 4}, {0, 80, 480, 2400}, {24, 3, 2, 3}, ONES, 0, 0, {-8, 4, -1, 2}, 16, 864, 0},
    {"ld5", 'c', 5, {48, 5, 4, 3, 3}, {0, 48, 240, 960, 2880}, {32, 2, 3, 2, 2}, ONES, 0, 0, {-16, 4, 2, -1, 2}, 16, 768, 0},
    // Elements.
    {"ld2", 'c', 2, {100, 20}, {0, 112}, {48, 9}, ONES, 0, 0, {-16, 5}, 16, 432, 0},
    {"ld2", 's', 2, {100, 20}, {0, 208}, {24, 9}, ONES, 0, 0, {88, 15}, -32, 432, 0},
    {"ld2", 'b', 2, {100, 20}, {0, 208}, {8, 256}, ONES, 0, 0, {-8, -200}, 32, 4096, 0},
    {"ld2", 'i', 2, {100, 20}, {0, 400}, {4, 9}, ONES, 0, 0, {96, 15}, -32, 144, 0},
    {"ld2", 'l', 2, {50, 20}, {0, 400}, {6, 9}, ONES, 0, 0, {46, 15}, -16, 432, 0},
    {"ld2", 'd', 2, {50, 20}, {0, 400}, {256, 2}, ONES, 0, 0, {-6, 15}, -100, 4096, 0},
    // What is outside as no number.
    {"ld2", 'f', 2, {61, 48}, {0, 256}, {32, 8}, ONES, 0, 1, {-8, 44}, 28, 1024, 0},
    {"ld2", 'h', 2, {61, 48}, {0, 256}, {32, 8}, ONES, 0, 1, {-8, 44}, 24, 512, 0},
    {"ld2", 'b', 2, {61, 48}, {0, 256}, {32, 8}, ONES, 0, 1, {-8, 44}, 24, 512, 0},
    {"ld2", 'd', 2, {29, 48}, {0, 256}, {16, 8}, ONES, 0, 1, {-8, 44}, 14, 1024, 0},
    // Swizzles: whole spans; rows that are shorter than the span; boxes that do not begin at a multiple of it.
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {8, 32}, ONES, 32, 0, {0, 0}, 8, 1024, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {16, 32}, ONES, 64, 0, {0, 3}, 16, 2048, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {32, 32}, ONES, 128, 0, {0, 0}, 16, 4096, 0},
    {"ld2", 'f', 2, {61, 48}, {0, 256}, {32, 32}, ONES, 128, 0, {-8, 20}, 16, 4096, 1024},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {32, 16}, ONES, 128, 0, {0, 0}, 16, 2048, 128},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {32, 16}, ONES, 128, 0, {0, 0}, 16, 2048, 640},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {16, 16}, ONES, 64, 0, {0, 0}, 16, 1024, 384},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {8, 16}, ONES, 32, 0, {0, 0}, 16, 512, 128},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {16, 16}, ONES, 128, 0, {0, 0}, 16, 1024, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {16, 16}, ONES, 128, 0, {0, 0}, 16, 2048, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {4, 16}, ONES, 128, 0, {0, 0}, 16, 256, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {4, 16}, ONES, 64, 0, {0, 0}, 16, 256, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {4, 16}, ONES, 32, 0, {0, 0}, 16, 256, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {12, 16}, ONES, 64, 0, {0, 0}, 16, 768, 0},
    {"ld2", 'h', 2, {64, 48}, {0, 128}, {64, 24}, ONES, 128, 0, {-8, 30}, 40, 3072, 0},
    {"ld3", 'h', 3, {64, 8, 6}, {0, 128, 1024}, {32, 4, 5}, ONES, 64, 0, {-8, 6, 2}, 24, 1280, 0},
    // Every so-many-th element.
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {32, 8}, {1, 2, 1, 1, 1}, 0, 0, {0, 0}, 16, 512, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {32, 7}, {1, 3, 1, 1, 1}, 0, 0, {-4, 43}, 16, 384, 0},
    {"ld3", 'f', 3, {36, 10, 7}, {0, 144, 1440}, {16, 4, 5}, {1, 4, 2, 1, 1}, 0, 0, {-4, 8, 3}, 12, 192, 0},
    {"ld2", 'f', 2, {64, 48}, {0, 256}, {32, 16}, {1, 2, 1, 1, 1}, 128, 0, {0, 1}, 16, 1024, 0},
    // Rows that overlap, and a stride that is no multiple of the one before.
    {"ld2", 'f', 2, {40, 100}, {0, 16}, {32, 8}, ONES, 0, 0, {0, 90}, 4, 1024, 0},
    {"ld3", 'f', 3, {40, 10, 9}, {0, 176, 304}, {8, 8, 4}, ONES, 0, 0, {0, 3, 4}, 4, 1024, 0},
    // With a hint for L2, after a prefetch, to two blocks of a cluster at once.
    {"hint", 'f', 2, {64, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-4, 0}, 8, 1024, 0},
    {"pre", 'f', 2, {64, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-4, 0}, 8, 1024, 0},
    {"both", 'f', 2, {64, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-4, 0}, 8, 2048, 0},
    // Stores.
    {"st1", 'f', 1, {1000}, {0}, {64}, ONES, 0, 0, {-20}, 328, 0, 0},
    {"st2", 'f', 2, {61, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"st2", 'f', 2, {64, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-100, 44}, 32, 0, 0},
    {"st2", 'c', 2, {100, 20}, {0, 112}, {16, 9}, ONES, 0, 0, {-16, 5}, 16, 0, 128},
    {"st2", 'f', 2, {64, 48}, {0, 256}, {32, 16}, ONES, 128, 0, {-4, 3}, 32, 0, 0},
    {"st2", 'f', 2, {64, 48}, {0, 256}, {16, 16}, ONES, 64, 0, {-4, 3}, 16, 0, 128},
    {"st2", 'f', 2, {64, 48}, {0, 256}, {16, 16}, ONES, 128, 0, {-4, 3}, 16, 0, 0},
    {"st2", 'f', 2, {64, 48}, {0, 256}, {8, 16}, {1, 2, 1, 1, 1}, 0, 0, {-4, 3}, 8, 0, 0},
    {"st3", 'f', 3, {36, 10, 7}, {0, 144, 1440}, {16, 4, 3}, ONES, 0, 0, {-4, 8, 5}, 16, 0, 0},
    {"st5", 'c', 5, {48, 5, 4, 3, 3}, {0, 48, 240, 960, 2880}, {16, 2, 3, 2, 2}, ONES, 0, 0, {-16, 4, 2, -1, 2}, 16, 0, 0},
    // Reductions, by the element of the map. The blocks' boxes lie apart.
    {"red_add", 'f', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_add", 'd', 2, {128, 48}, {0, 1024}, {16, 8}, ONES, 0, 0, {-8, 44}, 16, 0, 0},
    {"red_add", 'h', 2, {128, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_add", 'b', 2, {128, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_add", 'u', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_add", 'i', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 128, 0, {-8, 44}, 32, 0, 0},
    {"red_add", 'l', 2, {128, 48}, {0, 1024}, {16, 8}, ONES, 0, 0, {-8, 44}, 16, 0, 0},
    {"red_min", 'u', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_min", 'i', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_max", 'l', 2, {128, 48}, {0, 1024}, {16, 8}, ONES, 0, 0, {-8, 44}, 16, 0, 0},
    {"red_max", 'L', 2, {128, 48}, {0, 1024}, {16, 8}, ONES, 0, 0, {-8, 44}, 16, 0, 0},
    {"red_max", 'h', 2, {128, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_min", 'b', 2, {128, 48}, {0, 256}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_inc", 'u', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_dec", 'u', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_and", 'u', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_or", 'i', 2, {128, 48}, {0, 512}, {32, 8}, ONES, 0, 0, {-8, 44}, 32, 0, 0},
    {"red_xor", 'l', 2, {128, 48}, {0, 1024}, {16, 8}, ONES, 0, 0, {-8, 44}, 16, 0, 0},
};
enum { TENSOR_LAUNCHES = sizeof tensor_launches / sizeof *tensor_launches, TENSOR_WORDS_OUT = 16384, TENSOR_WORDS_IN = 16384 };

static inline unsigned tensor_bytes(char type) { return type == 'c' ? 1 : strchr("shb", type) ? 2 : strchr("dlL", type) ? 8 : 4; }

// What the tensor holds: bits, or whole numbers below 256 where they are floats, so that sums are exact.
static inline void tensor_fill(char type, unsigned *words)
{
    unsigned char *to = (unsigned char *)words;
    const unsigned bytes = tensor_bytes(type);
    for (unsigned i = 0; i < TENSOR_WORDS_IN * 4 / bytes; i++, to += bytes) {
        const unsigned whole = i * 7u % 61u + 1, bits = i * 2654435761u >> 3;
        const float f = (float)whole;
        const double d = (double)whole;
        const unsigned long long wide = (unsigned long long)bits << 32 | (bits ^ i);
        unsigned raw;
        memcpy(&raw, &f, 4);
        const unsigned half = (raw >> 13 & 0x3ff) | ((raw >> 23) - 112) << 10, bfloat = raw >> 16;
        if (type == 'f') memcpy(to, &f, 4);
        else if (type == 'd') memcpy(to, &d, 8);
        else if (type == 'h') to[0] = (unsigned char)half, to[1] = (unsigned char)(half >> 8);
        else if (type == 'b') to[0] = (unsigned char)bfloat, to[1] = (unsigned char)(bfloat >> 8);
        else if (bytes == 8) memcpy(to, &wide, 8);
        else for (unsigned k = 0; k < bytes; k++) to[k] = (unsigned char)(bits >> 8 * k);
    }
}

static inline unsigned long long tensor_hash(const unsigned *words, unsigned count, unsigned long long h)
{
    for (unsigned i = 0; i < count; i++) h = (h ^ words[i]) * 1099511628211ull;
    return h;
}
