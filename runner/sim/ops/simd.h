// An instruction of the video kind, which works on bytes and halves of words: vadd, vabsdiff4, vset2 and their like.
// SPDX-License-Identifier: MIT
#pragma once
#include "sim/core/exec.h"

enum video_kind {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_ABSDIFF,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_AVRG,
    VIDEO_SHL,
    VIDEO_SHR,
    VIDEO_MAD,
    VIDEO_SET
};
enum video_second { VIDEO_ALONE, VIDEO_PLUS, VIDEO_LEAST, VIDEO_MOST, VIDEO_MERGE };
enum video_compare { VIDEO_EQ, VIDEO_NE, VIDEO_LT, VIDEO_LE, VIDEO_GT, VIDEO_GE };
struct video_op {
    uint8_t kind, second, compare;
    uint8_t parts; // 1: the whole word, or the part that a selector names
    bool d_signed, a_signed, b_signed;
    bool saturates, wraps;
    uint8_t shift;                  // of a product
    uint8_t d_part, a_part, b_part; // selectors: 0 the word, 1-4 bytes, 5-6 halves
};

extern const struct op simd_ops[];
