// plan/asks: a setting is read by its type, and one that is not set, or of another type, is what the caller says.
// SPDX-License-Identifier: MIT
#include "plan/asks.h"
#include "unit/test.h"

static struct job job;

static const struct job *with(enum setting s, struct value v)
{
    for (int i = 0; i < SETTING_COUNT; i++) job.settings[i] = (struct value){0};
    job.settings[s] = v;
    return &job;
}

static void words(void)
{
    struct arena *a = arena_new();
    struct value_list *two = arena_alloc(a, sizeof *two + 2 * sizeof two->items[0]);
    two->count = 2, two->items[0] = value_text("read_mostly"), two->items[1] = value_text("accessed_by");
    const struct value list = {VALUE_LIST, {.list = two}};
    CHECK_TEXT(asks_text(with(SETTING_VIA, value_text("graph")), SETTING_VIA), "graph");
    CHECK_TEXT(asks_text(with(SETTING_VIA, value_int(3)), SETTING_VIA), "");
    CHECK(asks_is(with(SETTING_VIA, value_text("graph")), SETTING_VIA, "graph"));
    CHECK(!asks_is(with(SETTING_VIA, value_text("graphs")), SETTING_VIA, "graph"));
    CHECK(!asks_is(with(SETTING_CACHE, value_text("graph")), SETTING_VIA, ""));
    CHECK(asks_among(with(SETTING_ADVISE, value_text("accessed_by")), SETTING_ADVISE, "accessed_by"));
    CHECK(asks_among(with(SETTING_ADVISE, list), SETTING_ADVISE, "accessed_by"));
    CHECK(!asks_among(with(SETTING_ADVISE, list), SETTING_ADVISE, "preferred_location"));
    CHECK(!asks_is(with(SETTING_ADVISE, list), SETTING_ADVISE, "accessed_by"));
    CHECK(asks_true(with(SETTING_PREFETCH, value_bool(true)), SETTING_PREFETCH));
    CHECK(!asks_true(with(SETTING_PREFETCH, value_bool(false)), SETTING_PREFETCH));
    CHECK(!asks_true(with(SETTING_PREFETCH, value_int(1)), SETTING_PREFETCH));
    arena_free(a);
}

static void numbers(void)
{
    const enum setting s = SETTING_PERSIST;
    const int64_t large = (int64_t)1 << 60 | 1; // no double has it
    CHECK(asks_number(with(s, value_real(0.25)), s, 7) == 0.25);
    CHECK(asks_number(with(s, value_text("x")), s, 7) == 7);
    CHECK_INT(asks_whole(with(s, value_int(large)), s, 7), large);
    CHECK_INT(asks_whole(with(s, value_real(2.9)), s, 7), 2);
    CHECK_INT(asks_whole(with(s, value_real(0x1p63)), s, 7), 7);
    CHECK_INT(asks_whole(with(s, (struct value){0}), s, 7), 7);
    CHECK_INT(asks_bytes(with(s, value_int(large)), s, 1000, 7), large);
    CHECK_INT(asks_bytes(with(s, value_int(1)), s, 1000, 7), 1);
    CHECK_INT(asks_bytes(with(s, value_int(0)), s, 1000, 7), 0);
    CHECK_INT(asks_bytes(with(s, value_real(1)), s, 1000, 7), 1000); // all of it
    CHECK_INT(asks_bytes(with(s, value_real(0.5)), s, 1000, 7), 500);
    CHECK_INT(asks_bytes(with(s, value_real(2048)), s, 1000, 7), 2048);
    CHECK_INT(asks_bytes(with(s, (struct value){0}), s, 1000, 7), 7);
    CHECK(asks_timeout(with(SETTING_TIMEOUT, value_real(0.5))) == 0.5);
    CHECK(asks_timeout(with(SETTING_TIMEOUT, value_int(0))) == 60);
    CHECK(asks_timeout(with(SETTING_CACHE, value_int(1))) == 60);
}

static void anything_asked_for(void)
{
    CHECK(asks_any(with(SETTING_WINDOW_BUFFER, value_text("in")), SETTING_WINDOW_BUFFER));
    CHECK(!asks_any(with(SETTING_WINDOW_BUFFER, value_text("none")), SETTING_WINDOW_BUFFER));
    CHECK(!asks_any(with(SETTING_WINDOW_BUFFER, (struct value){0}), SETTING_WINDOW_BUFFER));
    CHECK(asks_any(with(SETTING_PERSIST, value_real(0.1)), SETTING_PERSIST));
    CHECK(!asks_any(with(SETTING_PERSIST, value_int(0)), SETTING_PERSIST));
}

static void memory(void)
{
    const struct job_buffer buffers[] = {{.name = "in", .memory = "device"}, {.name = "out", .memory = "managed"}};
    const struct job two = {.buffers = buffers, .buffer_count = 2};
    CHECK(asks_memory(&two, "managed") && asks_memory(&two, "device") && !asks_memory(&two, "mapped"));
    CHECK(asks_memory_of(&buffers[0], "device") && !asks_memory_of(&buffers[0], "managed"));
    CHECK(!asks_memory_of(&(struct job_buffer){.name = "unsaid"}, "device"));
}

static void dimensions(void)
{
    struct arena *a = arena_new();
    struct value_list *two = arena_alloc(a, sizeof *two + 2 * sizeof two->items[0]);
    uint32_t out[3];
    two->count = 2, two->items[0] = value_int(32), two->items[1] = value_int(8);
    CHECK(asks_dimensions(with(SETTING_BLOCK, (struct value){VALUE_LIST, {.list = two}}), SETTING_BLOCK, out));
    CHECK(out[0] == 32 && out[1] == 8 && out[2] == 1); // what is not said is 1: a size of 0 would be no thread
    CHECK(asks_dimensions(with(SETTING_BLOCK, value_int(256)), SETTING_BLOCK, out));
    CHECK(out[0] == 256 && out[1] == 1 && out[2] == 1);
    CHECK(!asks_dimensions(with(SETTING_BLOCK, (struct value){0}), SETTING_BLOCK, out));
    CHECK(out[0] == 1 && out[1] == 1 && out[2] == 1);
    arena_free(a);
}

int main(void)
{
    words();
    dimensions();
    numbers();
    anything_asked_for();
    memory();
    return test_end();
}
