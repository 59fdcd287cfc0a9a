// What both backends ask about a buffer that a kernel reads as a texture: its elements as channels, the meaning
// of its coordinates, and whether such a texture can exist.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"

enum texels_kind { TEXELS_FLOAT, TEXELS_SIGNED, TEXELS_UNSIGNED };
struct texels {
    int channels, bits;
    enum texels_kind kind;
};
bool texels_of(const struct job_buffer *, struct texels *); // false: no texture has such elements

enum texels_wrap { TEXELS_CLAMP, TEXELS_BORDER, TEXELS_WRAP, TEXELS_MIRROR };
enum texels_wrap texels_wrap(const struct job *);

// Why the buffer cannot be a texture, whose size in each direction is at most `most` (on `whose`); "" when it can.
void texels_unfit(const struct job *, const struct job_buffer *, const uint64_t most[3], const char *whose,
    char why[256]);
