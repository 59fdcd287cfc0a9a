// The tables of words.
// SPDX-License-Identifier: MIT
#include "spec/words.h"

#include <stddef.h>
#include <string.h>

// How values are written, from the plain ones up.
static const struct writing text = {.scalars = WRITTEN_TEXT};
static const struct writing name = {.scalars = WRITTEN_TEXT | WRITTEN_NUMBER};
static const struct writing number = {.scalars = WRITTEN_NUMBER};
static const struct writing scalar = {.scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL};
static const struct writing expression = {.scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL};
static const struct writing expressions = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL | WRITTEN_NOTHING, .list = &expression};
static const struct writing extents = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER, .list = &expression, .least = 1, .most = 3};
static const struct writing list_of_scalars = {.list = &scalar, .least = 1, .most = 1000};

// What experiments give: one value, an axis, a point.
static const struct writing value = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL, .list = &scalar, .least = 1};
static const struct writing axis = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL, .list = &value, .least = 1, .map = &words_range};
static const struct writing values = {.scalars = WRITTEN_NOTHING, .named = &value, .names = NAMES_VALUES};
static const struct writing axes = {.scalars = WRITTEN_NOTHING, .named = &axis, .names = NAMES_VALUES};
static const struct writing axes_in_step = {.named = &axis, .names = NAMES_VALUES};
static const struct writing groups = {
    .scalars = WRITTEN_NOTHING, .list = &axes_in_step, .named = &axis, .names = NAMES_VALUES};
static const struct writing one_point = {.named = &value, .names = NAMES_VALUES};
static const struct writing points = {
    .scalars = WRITTEN_NOTHING, .list = &one_point, .named = &value, .names = NAMES_VALUES};
static const struct writing anything = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL, .list = &value, .map = &words_range, .named = &scalar};
static const struct writing changes = {.named = &anything};
static const struct writing by_device = {.scalars = WRITTEN_NOTHING, .named = &changes, .names = NAMES_DEVICES};
static const struct writing share = {.scalars = WRITTEN_NUMBER, .map = &words_share};
static const struct writing goals = {.scalars = WRITTEN_NOTHING, .map = &words_measure};
static const struct writing column_made = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL, .map = &words_derived};
static const struct writing derived = {.scalars = WRITTEN_NOTHING, .named = &column_made};
static const struct writing told = {.scalars = WRITTEN_TEXT, .map = &words_answer};
static const struct writing answers = {.scalars = WRITTEN_TEXT | WRITTEN_NOTHING, .list = &told, .map = &words_answer};
static const struct writing claim = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL, .map = &words_expectation};
static const struct writing claims = {.scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL | WRITTEN_NOTHING,
    .list = &claim,
    .map = &words_expectation};
static const struct writing script = {
    .scalars = WRITTEN_TEXT | WRITTEN_NOTHING, .map = &words_script, .named = &scalar};
static const struct writing names = {.scalars = WRITTEN_TEXT, .list = &text};
static const struct writing drawn = {.scalars = WRITTEN_NOTHING, .map = &words_chart};
static const struct writing seen = {.scalars = WRITTEN_NOTHING, .map = &words_found};
static const struct writing choice_of_logs = {.choices = words_logs};
static const struct writing choice_of_charts = {.choices = words_chart_kinds};

static const struct word experiment_words[] = {
    {"experiment", &name, "a name of letters, digits, _, . and -", "the file's name",
        "the experiment's name; its report is reports/NAME.csv", "copies", false},
    {"theme", &name, "a word", "", "what `gpuexp list` groups it under", "access", false},
    {"question", &text, "a sentence", "", "what the experiment asks, for lists and pages", "How fast is it?", false},
    {"for", &by_device, "a mapping from a kind of device to values or axes", "",
        "other values on that kind of device; a run says so", "{sim: {n: 1Ki}}", false},
    {"kernel", &text, "a kernel's name, or a path (./my.cu, beside the file)", "",
        "what the experiment runs; several are the axis `kernel`", "probe", true},
    {"with", &values, "a mapping from parameters and settings to values", "", "values that all points have",
        "{n: 64Ki, block: 256}", false},
    {"sweep", &axes, "a mapping from parameters and settings to lists or ranges", "",
        "axes: every combination of their values is a point", "{stride: [1, 2]}", false},
    {"together", &groups, "a list of mappings from names to lists of one length", "",
        "axes that move in step, in place of being combined", "[{n: [1Ki, 2Ki], tile: [16, 32]}]", false},
    {"where", &expressions, "a Lua expression, or a list of them", "", "a point stays where all of them are true",
        "stride < 64", false},
    {"include", &points, "a list of mappings from names to values", "", "points beyond those of the axes",
        "[{stride: 33}]", false},
    {"exclude", &points, "a list of mappings from names to values", "", "points that are left out", "[{stride: 2}]",
        false},
    {"measure", &goals, "a mapping", "", "what is asked of each number: how precise, how long",
        "{precision: 1%, max_time: 1s}", false},
    {"derive", &derived, "a mapping from names to Lua expressions, or to {is: ..., unit: ...}", "",
        "more columns, computed from each row's values and columns", "{waste: ld_sectors / n}", false},
    {"expect", &claims, "a Lua expression, {when: ..., that: ...}, or a list of them", "",
        "claims about rows, checked at the end; a broken one is exit status 1",
        "[{when: stride == 1, that: st_sectors > 0}]", false},
    {"script", &script, "the name of a script (tune) or a path (./mine.lua), or {file: NAME, OPTION: VALUE}", "",
        "a script that makes points, adds columns or sums up (`gpuexp describe lua`)", "refine_knee", false},
    {"chart", &drawn, "a mapping", "what the file asks and the axes' kinds decide",
        "how pages draw it; it decides no number, and `gpuexp report` takes it too: -s chart.y=gbps",
        "{x: stride, y: st_sectors, log: x}", false},
    {"answer", &answers, "a sentence, {when: ..., says: ...}, or a list of them", "what changed most",
        "the sentence with which a page begins and a run ends, its numbers taken from the rows: `{NAME[CONDITION]}` is "
        "the column NAME of the rows for which the condition holds; the first one that can be told is",
        "\"It takes {time_us[stride == 8] / time_us[stride == 1]} times as long.\"", false},
    {"found", &seen, "a mapping", "", "what it found when it was measured before; for readers, it decides nothing",
        "{device: NVIDIA H200, date: 2026-11-22, says: Twice as fast.}", false},
    {"keep_together", &names, "an axis, or a list of axes", "",
        "points that differ in these alone are measured by one GPU", "[stride]", false},
    {0},
};

#define X(key, is, takes, fallback, about, ...) {#key, &is, takes, fallback, about, fallback, false},
static const struct word measure_words[] = {GOALS(X){0}};
#undef X

static const struct word share_words[] = {
    {"of", &name, "a value that the kernel reports", "", "what is to be known that well, instead of the time", "cycles",
        true},
    {"to", &number, "a share above 0 and below 1 (0.5%)", "0.5%", "how well", "1%", false},
    {0},
};
static const struct word expectation_words[] = {
    {"when", &expression, "a Lua expression", "every row", "the rows that the claim is about", "stride == 1", false},
    {"that", &expression, "a Lua expression", "", "what must be true of them", "st_sectors > 0", true},
    {"over", &names, "an axis, or a list of axes", "",
        "rows that differ in these alone are judged together: a column is then the list of its values", "stride",
        false},
    {0},
};
static const struct word derived_words[] = {
    {"is", &expression, "a Lua expression", "", "what is computed", "ld_sectors / n", true},
    {"unit", &text, "a unit", "", "what pages and tables show behind its name", "GB/s", false},
    {"about", &text, "a text", "", "what it means, as pages say it", "sectors of each element", false},
    {0},
};
static const struct word answer_words[] = {
    {"when", &expression, "a Lua expression over columns with conditions", "always", "where the sentence is told",
        "\"ld_sectors[stride == 8] > 1\"", false},
    {"says", &text, "a sentence with {expressions}", "", "the sentence", "\"It is {max(ld_sectors[true])}.\"", true},
    {0},
};
static const struct word chart_words[] = {
    {"x", &name, "a column", "the axis with the most values", "what goes along", "n", false},
    {"y", &names, "a column, or a list of them", "what the file asks for",
        "what goes up; several have pictures of their own over one x", "[time_us, ld_sectors]", false},
    {"by", &name, "a column", "what fits", "tells lines or bars apart by colour", "n", false},
    {"panels", &name, "a column", "what fits", "has a picture for each of its values", "n", false},
    {"log", &choice_of_logs, "x, y, xy or none", "axes whose numbers span 1.5 decades or rise by factors",
        "which axes are logarithmic", "xy", false},
    {"kind", &choice_of_charts, "lines, bars or heat", "what fits the axes", "what is drawn", "bars", false},
    {"against", &expression, "a Lua expression", "",
        "what goes up is how many times as fast a row is as the one for which this holds, with the same other values",
        "stride == 1", false},
    {0},
};
static const struct word found_words[] = {
    {"device", &text, "a device's name", "", "what it was measured on", "NVIDIA H200", true},
    {"driver", &name, "a version", "", "the driver's version", "580.159.04", false},
    {"date", &text, "a date (2026-11-22)", "", "when", "2026-11-22", true},
    {"by", &text, "a command", "", "the command that measured it", "gpuexp probe.yaml", false},
    {"report", &text, "a path", "", "the report that it rests on", "reports/h200/probe.csv", false},
    {"says", &text, "sentences", "", "what was found; the first sentence is the answer", "Twice as fast.", true},
    {0},
};
static const struct word range_words[] = {
    {"from", &number, "a number", "", "the first value of the axis", "1", true},
    {"to", &number, "a number", "", "the axis goes no further than this", "8", true},
    {"step", &number, "a number", "", "added to get the next value", "1", false},
    {"times", &number, "a number", "", "multiplied by to get the next value", "2", false},
    {0},
};
static const struct word script_words[] = {
    {"file", &text, "the name of a script that ships, or the path of a Lua file (./mine.lua)", "",
        "the script; the other keys are its options", "refine_knee", true},
    {0},
};

// Of kernel files.
static const struct writing choice_of_kind = {.choices = words_kinds};
static const struct writing choice_of_access = {.choices = words_access};
static const struct writing choice_of_vary = {.choices = words_vary};
static const struct writing parameter = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL | WRITTEN_NOTHING, .map = &words_parameter};
static const struct writing parameters = {.scalars = WRITTEN_NOTHING, .named = &parameter};
static const struct writing buffer = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER, .list = &expression, .least = 1, .most = 3, .map = &words_buffer};
static const struct writing buffers = {.scalars = WRITTEN_NOTHING, .named = &buffer};
static const struct writing passed = {.scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL,
    .list = &expression,
    .least = 1,
    .most = 4,
    .map = &words_tensor};
static const struct writing directions = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER, .list = &expression, .least = 1, .most = 5};
static const struct writing corners = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER, .list = &expression, .least = 1, .most = 3};
static const struct writing choice_of_outside = {.choices = words_outside};
static const struct writing arguments = {.scalars = WRITTEN_NOTHING, .named = &passed};
static const struct writing report = {.scalars = WRITTEN_TEXT, .map = &words_report};
static const struct writing reports = {.scalars = WRITTEN_NOTHING, .named = &report};
static const struct writing step = {.scalars = WRITTEN_TEXT, .map = &words_step};
static const struct writing steps = {.list = &step, .least = 1, .most = 100};
static const struct writing tolerance = {.map = &words_tolerance};
static const struct writing both_ends = {.list = &name, .least = 2, .most = 2};
static const struct writing pair_or_text = {.scalars = WRITTEN_TEXT, .list = &text, .least = 2, .most = 2};
static const struct writing fill = {
    .scalars = WRITTEN_TEXT | WRITTEN_NUMBER | WRITTEN_BOOL, .choices = words_fills, .map = &words_fill};

static const struct word kernel_words[] = {
    {"about", &text, "a sentence", "", "what the kernel does, for `gpuexp list`", "It adds.", false},
    {"params", &parameters, "a mapping from names to defaults, or to mappings", "", "the kernel's parameters",
        "{n: {default: 1Ki, min: 1}}", false},
    {"buffers", &buffers, "a mapping from names to counts, or to mappings", "", "the memory that the kernel works on",
        "{a: {type: float, count: n, access: both, fill: index}, b: {type: float, count: n, access: write}}", false},
    {"arguments", &arguments, "a mapping from arguments to expressions", "",
        "what an argument gets that is no parameter or buffer: a number, a place in a buffer, a vector's elements, a "
        "tensor map, C++",
        "{n: n}", false},
    {"reports", &reports, "a mapping from names to sentences, or to mappings", "",
        "numbers that the kernel measures itself and writes through a pointer; each becomes a column",
        "{cycles: cycles of a block}", false},
    {"threads", &extents, "an expression, or [x, y, z]", "",
        "how many threads it needs: the grid follows from the block", "n", false},
    {"block", &extents, "an expression, or [x, y, z]", "", "threads of a block, where the experiment says nothing",
        "128", false},
    {"grid", &extents, "an expression, or [x, y, z]", "", "blocks, in place of `threads`", "cdiv(n, 256)", false},
    {"sequence", &steps, "a list of launches", "", "a point of several launches, timed as a whole",
        "[{launch: probe}, {launch: probe}]", false},
    {"useful", &expression, "an expression", "", "bytes that the algorithm needs: `gbps` comes from it", "8 * n",
        false},
    {"flops", &expression, "an expression", "", "arithmetic operations: `gflops` comes from it", "n", false},
    {"shared", &expression, "an expression", "0", "bytes of dynamic shared memory for each block", "1024", false},
    {"carveout", &expression, "an expression", "the driver's choice",
        "share of an SM's on-chip memory preferred as shared memory, where the experiment sets no `carveout`", "0.07",
        false},
    {"checks", &expression, "an expression", "elements of the buffer that is written",
        "how many elements `check` or `expected` is called for", "n", false},
    {"needs", &expression, "an expression", "", "what must be true of a point; another is refused", "n % 32 == 0",
        false},
    {"tolerance", &tolerance, "a mapping of abs and rel", "exactly equal",
        "how far an element may be from what the function `expected` of the source returns", "{abs: 1e-6, rel: 1e-5}",
        false},
    {"entry", &text, "a __global__ function, or a template's instance", "the file's name, or the only one",
        "which function is launched", "probe", false},
    {"code", &text, "C++", "", "lines behind the source: `expected`, a type, a functor for an instance",
        "\"constexpr int two = 2;\"", false},
    {"host", &text, "C++ of the host, or main", "",
        "launches in place of `entry`, `grid`, `block` and `arguments`; runs on this machine, compiled by nvcc",
        "\"probe<<<1, 32>>>(in, n);\"", false},
    {0},
};
static const struct word parameter_words[] = {
    {"default", &scalar, "a value", "", "the value where an experiment gives none", "1Ki", false},
    {"min", &number, "a number", "", "the least value", "1", false},
    {"max", &number, "a number", "", "the largest value", "1Mi", false},
    {"one_of", &list_of_scalars, "a list of values", "", "the values that there are", "[1Ki, 2Ki]", false},
    {"kind", &choice_of_kind, "argument, constant, type or variant", "argument", "how the source gets it", "argument",
        false},
    {"as", &text, "a name of the source", "its own name", "what the source calls it", "n", false},
    {"about", &text, "a sentence", "", "what it is", "elements", false},
    {0},
};
static const struct word buffer_words[] = {
    {"type", &text, "a type, a parameter of kind type, or a structure of the source", "the kernel's argument's",
        "what an element is", "float", false},
    {"bytes", &expression, "an expression", "", "bytes of an element whose type the source declares", "4", false},
    {"count", &extents, "an expression, or [width, height, depth]", "", "how many elements", "n", true},
    {"access", &choice_of_access, "read, write or both", "read where the argument is const; write, with a fill both",
        "what the kernel does with it", "both", false},
    {"fill", &fill, "random, index, cycle, code, a number, C++ of `i`, {random: [0, 1]} or {file: NAME}", "",
        "what it holds before a launch", "index", false},
    {"vary", &choice_of_vary, "shift", "",
        "what timed launches find in place of that content: the same, begun at another place", "shift", false},
    {"step", &expression, "an expression", "1", "of `fill: cycle`: the distance from one link to the next", "32",
        false},
    {"as", &text, "a name of the source", "its own name", "what the source calls it", "a", false},
    {"about", &text, "a sentence", "", "what it is", "the sums", false},
    {0},
};
static const struct word fill_words[] = {
    {"random", &both_ends, "[least, largest]", "", "random numbers from least to largest", "[0, 1]", false},
    {"file", &text, "a .npy, .csv or .bin file beside the kernel", "",
        "what the file holds: as many numbers as the buffer, each of which its type can hold", "data.csv", false},
    {0},
};
static const struct word tolerance_words[] = {
    {"abs", &expression, "an expression", "0", "it may differ by so much", "1e-6", false},
    {"rel", &expression, "an expression", "0", "and by this share of the expected value besides", "1e-5", false},
    {0},
};
static const struct word report_words[] = {
    {"type", &text, "a type that is one number", "unsigned long long", "what the pointer points to", "float", false},
    {"about", &text, "a sentence", "", "what the number is", "cycles of a block", false},
    {"unit", &text, "a unit", "", "what pages and tables show behind its name", "cycles", false},
    {0},
};
static const struct word map_words[] = {
    {"tensor", &text, "a buffer, or a place in it (a + 4 * n)", "",
        "what a CUtensorMap that the kernel takes describes", "a", true},
    {"box", &directions, "an expression, or a list of up to five, x first", "",
        "elements that one copy brings, 256 in a direction at most", "[4, 8]", true},
    {"size", &directions, "an expression, or a list of up to five, x first", "the buffer's `count`",
        "elements of the tensor; the same number of directions as the box", "[8, 16]", false},
    {"stride", &directions, "an expression, or a list of up to four", "what follows from the size",
        "elements from row to row, from plane to plane, and so on", "[8]", false},
    {"step", &directions, "an expression, or a list of up to five, x first", "1",
        "takes every so-many-th element of the box, 8 at most", "[1, 2]", false},
    {"lower", &corners, "an expression, or a list of up to three, x first", "",
        "im2col: the first pixel that the corner of a filter comes to; the box is then channels and pixels", "[-1, -1]",
        false},
    {"upper", &corners, "an expression, or a list of up to three, x first", "",
        "im2col: the last such pixel, counted from the last one of the image", "[-1, -1]", false},
    {"swizzle", &expression, "0, 32, 64 or 128", "0",
        "bytes of a row of the box in shared memory among which its 16-byte pieces change places", "32", false},
    {"promote", &expression, "0, 64, 128 or 256", "0", "bytes that L2 fetches at once for it", "128", false},
    {"outside", &choice_of_outside, "zero or nan", "zero", "what is read where the box is outside of the tensor", "nan",
        false},
    {0},
};
static const struct writing swaps = {.list = &pair_or_text, .least = 1, .most = 8};
static const struct word step_words[] = {
    {"launch", &text, "a __global__ function", "", "what is launched", "probe", false},
    {"sequence", &steps, "a list of launches", "", "launches within, in place of `launch`", "[{launch: probe}]", false},
    {"repeat", &expression, "an expression", "1", "how often; `step` counts from 0 in the expressions of the launch",
        "2", false},
    {"swap", &swaps, "[from, to], or a list of such pairs", "", "buffers that change their names after each time",
        "[a, b]", false},
    {"threads", &extents, "an expression, or [x, y, z]", "the kernel's", "threads of this launch", "n", false},
    {"block", &extents, "an expression, or [x, y, z]", "the kernel's", "threads of a block of this launch", "64",
        false},
    {"grid", &extents, "an expression, or [x, y, z]", "the kernel's", "blocks of this launch", "n // 256", false},
    {"shared", &expression, "an expression", "the kernel's", "bytes of dynamic shared memory of this launch", "1024",
        false},
    {"arguments", &arguments, "a mapping from arguments to expressions", "the kernel's",
        "what arguments get in this launch", "{n: n // 2}", false},
    {0},
};

const struct choice words_kinds[] = {
    {"argument", "passed to the kernel"},
    {"constant", "a `constexpr` in front of the source: known when it is compiled"},
    {"type", "a `typedef` in front of the source"},
    {"variant", "chooses the entry: ENTRY_VALUE, or VALUE"},
    {NULL, NULL},
};
const struct choice words_chart_kinds[] = {
    {"lines", "a line for each value of the other axes"},
    {"bars", "a bar for each point, the best first; dots where the numbers span 1.5 decades"},
    {"heat", "a cell for each pair of values of two axes"},
    {"samples", "each sample of a point in the order of time, and the clock; of many points those known least"},
    {NULL, NULL},
};
const struct choice words_logs[] = {
    {"x", "the axis along is logarithmic"},
    {"y", "the axis up is logarithmic"},
    {"xy", "both are"},
    {"none", "none is"},
    {NULL, NULL},
};
const struct choice words_access[] = {
    {"read", "the kernel reads it, and must not write it"},
    {"write", "the kernel writes it; what it held before does not matter"},
    {"both", "the kernel reads it and writes it"},
    {NULL, NULL},
};
const struct choice words_vary[] = {
    {"shift", "place i holds what place i + s holds without it, with another s for each launch, from the end on again"},
    {NULL, NULL},
};
const struct choice words_fills[] = {
    {"random", "random numbers, from the seed: reals above 0 and up to 1, whole ones from 1 to 100"},
    {"index", "each element its own index"},
    {"cycle", "a chain of indices that visits every element (`step` apart)"},
    {"code", "what the function fill_BUFFER of the source returns"},
    {NULL, NULL},
};

const struct choice words_outside[] = {
    {"zero", "zeros"},
    {"nan", "no number; for floats"},
    {NULL, NULL},
};

const struct mapping words_experiment = {"experiment", "an experiment", experiment_words};
const struct mapping words_measure = {"measure", "`measure`", measure_words};
const struct mapping words_share = {"precision", "`precision`", share_words};
const struct mapping words_expectation = {"expect", "an expectation", expectation_words};
const struct mapping words_chart = {"chart", "`chart`", chart_words};
const struct mapping words_derived = {"derive", "a derived column", derived_words};
const struct mapping words_answer = {"answer", "an answer", answer_words};
const struct mapping words_found = {"found", "`found`", found_words};
const struct mapping words_range = {"range", "a range", range_words};
const struct mapping words_script = {"script", "`script`", script_words};
const struct mapping words_kernel = {"kernel", "a kernel's description", kernel_words};
const struct mapping words_parameter = {"params", "a parameter", parameter_words};
const struct mapping words_buffer = {"buffers", "a buffer", buffer_words};
const struct mapping words_fill = {"fill", "a fill", fill_words};
const struct mapping words_report = {"reports", "a report", report_words};
const struct mapping words_tolerance = {"tolerance", "`tolerance`", tolerance_words};
const struct mapping words_tensor = {"tensor", "a tensor map", map_words};
const struct mapping words_step = {"sequence", "a launch of a sequence", step_words};
const struct mapping *const words_of_experiments[] = {&words_experiment, &words_measure, &words_share,
    &words_expectation, &words_derived, &words_answer, &words_chart, &words_found, &words_range, &words_script, NULL};
const struct mapping *const words_of_kernels[] = {&words_kernel, &words_parameter, &words_buffer, &words_fill,
    &words_tensor, &words_tolerance, &words_report, &words_step, NULL};

const struct word *words_find(const struct mapping *m, const char *key)
{
    for (const struct word *w = m->words; w->name; w++)
        if (strcmp(w->name, key) == 0) return w;
    return NULL;
}

void words_names(const struct mapping *m, const char *all[WORDS_MOST])
{
    size_t n = 0;
    for (const struct word *w = m->words; w->name && n < WORDS_MOST - 1; w++) all[n++] = w->name;
    all[n] = NULL;
}
