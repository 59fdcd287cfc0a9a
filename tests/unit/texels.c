// device/texels: which buffers can be textures, and the most elements of each direction, on the simulator.
// SPDX-License-Identifier: MIT
#include "device/sim/sim_device.h"
#include "device/texels.h"
#include "unit/test.h"

static struct job job;

static bool fits(struct job_buffer b, char why[256])
{
    *why = '\0';
    sim_layout_unfit(&job, &b, why);
    return !*why;
}

// At the limit in one direction, and one beyond it.
static void as_large_as_a_gpu_takes(void)
{
    static const uint64_t most[3][3] = {{131072}, {131072, 65536}, {16384, 16384, 16384}};
    char why[256], wanted[256];
    for (int rank = 1; rank <= 3; rank++)
        for (int k = 0; k < rank; k++) {
            struct job_buffer b = {.name = "t", .type = "float", .scalar = "float", .memory = "texture"};
            b.lanes = 1, b.element_bytes = 4, b.rank = rank, b.access = ACCESS_READ;
            for (int i = 0; i < 3; i++) b.extent[i] = 1;
            b.extent[k] = most[rank - 1][k];
            CHECK(fits(b, why));
            b.extent[k]++;
            CHECK(!fits(b, why));
            snprintf(wanted, sizeof wanted,
                "`t`: %llu elements in %c: a %d-D texture or surface of a GPU has at most %llu",
                (unsigned long long)b.extent[k], "xyz"[k], rank, (unsigned long long)most[rank - 1][k]);
            CHECK_TEXT(why, wanted);
        }
}

static void of_what_a_texture_holds(void)
{
    char why[256];
    struct job_buffer b = {.name = "t", .type = "float", .scalar = "float", .memory = "texture", .extent = {8, 1, 1}};
    b.lanes = 1, b.element_bytes = 4, b.rank = 1, b.access = ACCESS_BOTH;
    CHECK(!fits(b, why));
    CHECK_TEXT(why, "`t` is written: a texture can only be read");
    b.memory = "surface";
    CHECK(fits(b, why));
    b.memory = "texture", b.access = ACCESS_READ, b.type = b.scalar = "double", b.element_bytes = 8;
    CHECK(!fits(b, why));
    CHECK_TEXT(why, "`t`: no texture or surface has elements of type `double`");
    b.type = b.scalar = "int", b.element_bytes = 4;
    CHECK(fits(b, why));
    job.settings[SETTING_TEXTURE_FILTER] = value_text("linear");
    CHECK(!fits(b, why));
    CHECK_TEXT(why, "`texture.filter: linear` needs floats, `t` holds `int`");
    job.settings[SETTING_TEXTURE_FILTER] = (struct value){0};
    static const char *const wraps[] = {"wrap", "mirror", "border", "clamp"};
    for (int k = 0; k < 4; k++) {
        job.settings[SETTING_TEXTURE_ADDRESS] = value_text(wraps[k]);
        job.settings[SETTING_TEXTURE_NORMALIZED] = value_bool(false);
        CHECK(fits(b, why) == (k > 1));
        job.settings[SETTING_TEXTURE_NORMALIZED] = value_bool(true);
        CHECK(fits(b, why));
    }
}

int main(void)
{
    as_large_as_a_gpu_takes();
    of_what_a_texture_holds();
    return test_end();
}
