// Buffers as textures.
// SPDX-License-Identifier: MIT
#include "device/texels.h"

#include "plan/asks.h"

#include <stdio.h>
#include <string.h>

bool texels_of(const struct job_buffer *b, struct texels *t)
{
    static const struct {
        const char *scalar;
        int bits;
        enum texels_kind kind;
    } list[] = {{"float", 32, TEXELS_FLOAT}, {"half", 16, TEXELS_FLOAT}, {"int", 32, TEXELS_SIGNED},
        {"unsigned int", 32, TEXELS_UNSIGNED}, {"short", 16, TEXELS_SIGNED}, {"unsigned short", 16, TEXELS_UNSIGNED},
        {"char", 8, TEXELS_SIGNED}, {"signed char", 8, TEXELS_SIGNED}, {"unsigned char", 8, TEXELS_UNSIGNED}};
    for (size_t i = 0; i < sizeof list / sizeof *list && b->scalar; i++) {
        if (strcmp(b->scalar, list[i].scalar) != 0) continue;
        *t = (struct texels){b->lanes, list[i].bits, list[i].kind};
        return b->lanes == 1 || b->lanes == 2 || b->lanes == 4;
    }
    return false;
}

enum texels_wrap texels_wrap(const struct job *job)
{
    return asks_is(job, SETTING_TEXTURE_ADDRESS, "wrap")  ? TEXELS_WRAP
        : asks_is(job, SETTING_TEXTURE_ADDRESS, "mirror") ? TEXELS_MIRROR
        : asks_is(job, SETTING_TEXTURE_ADDRESS, "border") ? TEXELS_BORDER
                                                          : TEXELS_CLAMP;
}

void texels_unfit(const struct job *job, const struct job_buffer *b, const uint64_t most[3], const char *whose,
    char why[256])
{
    struct texels t;
    const enum texels_wrap wrap = texels_wrap(job);
    if (b->access != ACCESS_READ && asks_memory_of(b, "texture"))
        snprintf(why, 256, "`%s` is written: a texture can only be read", b->name);
    else if (!texels_of(b, &t))
        snprintf(why, 256, "`%s`: no texture or surface has elements of type `%s`", b->name, b->type);
    else if (asks_is(job, SETTING_TEXTURE_FILTER, "linear") && t.kind != TEXELS_FLOAT)
        snprintf(why, 256, "`texture.filter: linear` needs floats, `%s` holds `%s`", b->name, b->type);
    else if ((wrap == TEXELS_WRAP || wrap == TEXELS_MIRROR) && !asks_true(job, SETTING_TEXTURE_NORMALIZED))
        snprintf(why, 256, "`texture.address: %s` needs `texture.normalized: true`",
            asks_text(job, SETTING_TEXTURE_ADDRESS));
    for (int i = 0; i < b->rank && !*why; i++)
        if (b->extent[i] > most[i])
            snprintf(why, 256, "`%s`: %llu elements in %c: a %d-D texture or surface of %s has at most %llu", b->name,
                (unsigned long long)b->extent[i], "xyz"[i], b -> rank, whose, (unsigned long long)most[i]);
}
