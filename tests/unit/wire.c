// measure/wire.h: what was sent is what arrives, and bytes that nobody sent are refused.
// SPDX-License-Identifier: MIT
#include "measure/wire.h"

#include <stdlib.h>

#include "unit/reason_here.h"
#include "spec/columns.h"
#include "unit/test.h"

// A job in which no member is zero or like another.
static void make(struct arena *a, struct job *j)
{
    struct value_list *list = arena_alloc(a, sizeof *list + 3 * sizeof *list->items),
                      *inner = arena_alloc(a, sizeof *inner);
    static const struct argument arguments[] = {{.name = "i", .type = "size_t"}, {.name = "in", .type = "const T *"}};
    static const struct function check = {.name = "check", .arguments = arguments, .count = 2, .line = 31};
    static const struct report_value reports[] = {
        {.name = "cycles", .type = "long", .about = "how many", .at = {"k.cu", 3, 4, 5, "cycles: x"}}};
    static struct job_constant constants[2];
    static struct job_buffer buffers[] = {{.name = "in",
                                              .as = "in",
                                              .type = "float4",
                                              .scalar = "float",
                                              .lanes = 4,
                                              .count = 100,
                                              .element_bytes = 16,
                                              .bytes = 1600,
                                              .step = 7,
                                              .extent = {10, 5, 2},
                                              .rank = 3,
                                              .access = ACCESS_BOTH,
                                              .fill = FILL_CYCLE,
                                              .seed = 13,
                                              .memory = "managed"},
        {.name = "out",
            .as = "out",
            .type = "half",
            .scalar = "half",
            .lanes = 1,
            .count = 9,
            .element_bytes = 2,
            .bytes = 18,
            .step = 0,
            .extent = {9, 1, 1},
            .rank = 1,
            .access = ACCESS_WRITE,
            .fill = FILL_NONE,
            .memory = "device"}};
    static const struct job_tensor tensor = {.size = {60, 7},
        .stride = {2, 128},
        .rank = 2,
        .bytes = 2,
        .box = {8, 3},
        .step = {1, 2},
        .swizzle = 32,
        .promote = 64,
        .nan = 1,
        .own = 1};
    static struct job_argument passed[] = {
        {.buffer = 0, .report = -1, .name = "in", .type = "const float *", .part = PART_SLICE},
        {.buffer = 1, .report = -1, .name = "m", .type = "CUtensorMap", .part = PART_TENSOR, .tensor = &tensor},
        {.buffer = -1, .report = 2, .name = "r", .type = "long *", .part = PART_ADDRESS},
        {.buffer = -1,
            .report = -1,
            .value = {VALUE_INT, {.i = INT64_MIN}},
            .name = "n",
            .type = "size_t",
            .part = PART_ADDRESS}};
    list->count = 3;
    list->items[0] = value_text("text with\nnew line and \xc3\xa4");
    list->items[1] = value_bool(true);
    list->items[2] = (struct value){VALUE_LIST, {.list = inner}};
    constants[0] = (struct job_constant){PARAM_TYPE, "T", value_text("float"), list};
    constants[1] = (struct job_constant){PARAM_CONSTANT, "TILE", value_real(-0.0), NULL};
    *j = (struct job){.experiment = "e",
        .kernel = "k",
        .path = "./k.cu",
        .source = "",
        .entry = NULL,
        .constants = constants,
        .constant_count = 2,
        .buffers = buffers,
        .buffer_count = 2,
        .arguments = passed,
        .argument_count = 4,
        .reports = reports,
        .report_count = 1,
        .check = &check,
        .check_count = UINT64_MAX,
        .scalars = passed + 3,
        .scalar_count = 1,
        .grid = {1, 2, 3},
        .block = {4, 5, 6},
        .shared = 7,
        .useful_bytes = 8.5,
        .flops = NAN,
        .goals = {0.1, 8, 2, 3, 4.5, 5.5, 6, 7},
        .context = 3,
        .contexts = 8,
        .check_s = 11,
        .look_s = 12,
        .looked_us = 13,
        .does = DOES_TIMES};
    for (int i = 0; i < SETTING_COUNT; i++) j->settings[i] = value_int(1000 + i);
    j->settings[SETTING_BLOCK] = (struct value){VALUE_LIST, {.list = list}};
    j->settings[SETTING_CACHE] = (struct value){0};
}

static void job_comes_out_as_it_went_in(void)
{
    struct arena *a = arena_new(), *b = arena_new();
    struct job in, out;
    struct str first = {0}, second = {0};
    make(a, &in);
    wire_write_job(&first, &in);
    CHECK(wire_read_job(first.text, first.size, b, &out));
    wire_write_job(&second, &out);
    CHECK(first.size == second.size && memcmp(first.text, second.text, first.size) == 0);
    memset(first.text, 'x', first.size); // nothing points into the bytes
    CHECK_TEXT(out.experiment, "e");
    CHECK_TEXT(out.source, "");
    CHECK(out.entry == NULL && isnan(out.flops) && out.useful_bytes == 8.5 && out.check_count == UINT64_MAX);
    CHECK_TEXT(out.constants[0].one_of->items[0].text, "text with\nnew line and \xc3\xa4");
    CHECK(out.constants[0].one_of->items[2].list->count == 0);
    CHECK(out.constants[1].one_of == NULL && signbit(out.constants[1].value.r));
    CHECK_INT(out.buffers[0].fill, FILL_CYCLE);
    CHECK_TEXT(out.buffers[0].memory, "managed");
    CHECK_INT(out.buffers[0].step, 7);
    CHECK_INT(out.buffers[0].seed, 13);
    CHECK_INT(out.buffers[0].extent[1], 5);
    CHECK_INT(out.buffers[0].rank, 3);
    CHECK_INT(out.arguments[0].part, PART_SLICE);
    CHECK(out.arguments[3].value.i == INT64_MIN && out.arguments[2].report == 2);
    CHECK(!out.arguments[0].tensor && out.arguments[1].tensor &&
        memcmp(out.arguments[1].tensor, in.arguments[1].tensor, sizeof(struct job_tensor)) == 0);
    CHECK_TEXT(out.reports[0].at.source, "cycles: x");
    CHECK_TEXT(out.check->arguments[1].type, "const T *");
    CHECK_INT(out.grid[2], 3);
    CHECK_INT(out.settings[SETTING_TIMEOUT].i, 1000 + SETTING_TIMEOUT);
    CHECK_INT(out.goals.of, 8);
    CHECK_INT(out.goals.warmup, 6);
    CHECK_INT(out.goals.contexts, 7);
    CHECK(out.context == 3 && out.contexts == 8 && out.does == DOES_TIMES && out.check_s == 11 && out.look_s == 12 &&
        out.looked_us == 13);
    str_release(&first);
    str_release(&second);
    arena_free(a);
    arena_free(b);
}

static void fill_result(struct result *r)
{
    result_init(r);
    r->status = STATUS_IMPRECISE;
    why_note(&r->why, REACHED_OF, "cycles", 1.5, (size_t)20, 0.25, 0.5);
    why_note(&r->why, SAID, "and more");
    for (int c = 0; c < COLUMN_COUNT; c++) r->columns[c] = c, r->columns_sim[c] = -c;
    r->reports[15] = 15;
    snprintf(r->device, sizeof r->device, "NVIDIA H200");
    memcpy(r->counts, "hardware", 9);
    r->part.time_us = 3.5;
    r->part.report_errors[15] = 4.5;
    r->busy_s = 1;
    r->wall_s = 2;
    r->look_s = 14;
    r->check_s = 5;
}

static void result_and_identity_come_out_as_they_went_in(void)
{
    struct result in, out;
    struct device_identity got;
    struct device_identity id = {
        "NVIDIA H200", "cuda:0", "H200 570.1", "sm_90", "so", true, true, true, 4800.5, 7, 6, "sms 132"};
    struct str bytes = {0};
    fill_result(&in);
    wire_write_result(&bytes, &in);
    CHECK(wire_read_result(bytes.text, bytes.size, &out));
    CHECK_INT(out.status, STATUS_IMPRECISE);
    CHECK_TEXT(reason_of(&out), "cycles reached 1.5 % after 20 samples in 0.25 s, not 0.5 %; and more");
    CHECK_TEXT(out.device, "NVIDIA H200");
    CHECK_TEXT(out.counts, "hardware");
    CHECK(memcmp(in.columns, out.columns, sizeof in.columns) == 0);
    CHECK(memcmp(in.columns_sim, out.columns_sim, sizeof in.columns) == 0);
    CHECK(out.reports[15] == 15 && isnan(out.reports[0]) && out.busy_s == 1 && out.wall_s == 2);
    CHECK(out.look_s == 14 && out.check_s == 5);
    CHECK(out.part.time_us == 3.5 && out.part.report_errors[15] == 4.5 && isnan(out.part.reports[0]));
    str_clear(&bytes);
    wire_write_identity(&bytes, &id);
    CHECK(wire_read_identity(bytes.text, bytes.size, &got));
    CHECK(memcmp(&id, &got, sizeof id) == 0);
    str_release(&bytes);
}

static bool reads(int what, const void *bytes, size_t size)
{
    struct arena *a = arena_new();
    struct job j;
    struct result r;
    struct device_identity id;
    bool good = what == 0 ? wire_read_job(bytes, size, a, &j)
        : what == 1       ? wire_read_result(bytes, size, &r)
                          : wire_read_identity(bytes, size, &id);
    arena_free(a);
    return good;
}

// From memory of exactly that size, so that a sanitizer sees one byte read too many.
static bool reads_copy(int what, const char *bytes, size_t size)
{
    char *copy = malloc(size ? size : 1);
    memcpy(copy, bytes, size);
    bool good = reads(what, copy, size);
    free(copy);
    return good;
}

static void what_is_cut_or_too_long_is_refused(void)
{
    struct arena *a = arena_new();
    struct job j;
    struct result r;
    struct device_identity id = {"a", "b", "c", "d", "e", true, false, false, 1, 2, 3, "f"};
    make(a, &j);
    fill_result(&r);
    for (int what = 0; what < 3; what++) {
        struct str bytes = {0};
        if (what == 0) wire_write_job(&bytes, &j);
        else if (what == 1) wire_write_result(&bytes, &r);
        else wire_write_identity(&bytes, &id);
        for (size_t n = 0; n < bytes.size; n++) CHECK(!reads_copy(what, bytes.text, n));
        CHECK(reads_copy(what, bytes.text, bytes.size));
        CHECK(!reads_copy(what, bytes.text, bytes.size + 1)); // its NUL
        str_release(&bytes);
    }
    arena_free(a);
}

// Any byte may be any other: it is refused or it is another job, and neither is a crash.
static void bytes_gone_wrong_are_survived(void)
{
    struct arena *a = arena_new();
    struct job j;
    struct str bytes = {0};
    int refused = 0;
    make(a, &j);
    wire_write_job(&bytes, &j);
    char *word = memmem(bytes.text, bytes.size, "managed", 7);
    CHECK(word != NULL);
    if (word) word[3] = '\0'; // a text that ends before it ends
    CHECK(!reads_copy(0, bytes.text, bytes.size));
    if (word) word[3] = 'a';
    CHECK(reads_copy(0, bytes.text, bytes.size));
    for (size_t i = 0; i < bytes.size; i++)
        for (int flip = 0; flip < 4; flip++) {
            char was = bytes.text[i];
            bytes.text[i] = flip == 0 ? (char)0xff : flip == 1 ? 0 : (char)(was ^ (flip == 2 ? 1 : 0x80));
            refused += !reads_copy(0, bytes.text, bytes.size);
            bytes.text[i] = was;
        }
    CHECK(refused > 1000);
    str_release(&bytes);
    arena_free(a);
}

static void lists_may_not_nest_without_end(void)
{
    struct arena *a = arena_new();
    struct job j;
    make(a, &j);
    for (int depth = 1; depth <= 12; depth++) {
        struct value v = value_int(1);
        struct str bytes = {0};
        for (int i = 0; i < depth; i++) {
            struct value_list *l = arena_alloc(a, sizeof *l + sizeof v);
            l->count = 1;
            l->items[0] = v;
            v = (struct value){VALUE_LIST, {.list = l}};
        }
        j.settings[SETTING_GRID] = v;
        wire_write_job(&bytes, &j);
        CHECK_INT(reads(0, bytes.text, bytes.size), depth <= 8);
        str_release(&bytes);
    }
    arena_free(a);
}

static void frames_are_whole_or_not_there(void)
{
    struct str s = {0};
    enum wire_kind kind;
    size_t size;
    bool broken;
    wire_frame(&s, WIRE_RESULT, "payload", 7);
    str_add(&s, "more");
    for (size_t n = 0; n < WIRE_HEAD + 7; n++) CHECK(!wire_framed(s.text, n, &kind, &size, &broken) && !broken);
    CHECK(wire_framed(s.text, s.size, &kind, &size, &broken) && kind == WIRE_RESULT && size == 7);
    for (size_t at = 0; at < WIRE_HEAD; at++) {
        char was = s.text[at];
        s.text[at] = (char)0xee;
        bool whole = wire_framed(s.text, s.size, &kind, &size, &broken);
        CHECK(!whole && (broken || (at >= 8 && at < 11))); // a length of less than 2^30 may yet come
        s.text[at] = was;
    }
    str_release(&s);
}

int main(void)
{
    job_comes_out_as_it_went_in();
    result_and_identity_come_out_as_they_went_in();
    what_is_cut_or_too_long_is_refused();
    bytes_gone_wrong_are_survived();
    lists_may_not_nest_without_end();
    frames_are_whole_or_not_there();
    return test_end();
}
