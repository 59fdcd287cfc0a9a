// A kernel file: the description in its first comment, and what can be read off its source (entry points and their
// arguments). Everything lives in the kernel's own arena.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "base/value.h"

// A Lua expression as written in a file, and where. `text` NULL: absent.
struct source_expr {
    const char *text;
    struct where at;
};

enum param_kind {
    PARAM_ARGUMENT, // passed to the kernel
    PARAM_CONSTANT, // `constexpr` in front of the source
    PARAM_TYPE,     // `typedef` in front of the source
    PARAM_VARIANT   // chooses the entry point: <entry>_<value>
};

struct param {
    const char *name, *about;
    const char *as; // what it is called in the source; the name, where nothing else is said
    enum param_kind kind;
    struct value fallback; // the default; VALUE_NONE: the experiment must give it
    bool has_min, has_max;
    struct value min, max;
    const struct value_list *one_of; // NULL: anything
    bool is_text;                    // values are names, not numbers (type, variant, or one_of of names)
    bool is_real;                    // takes fractions
    bool asked;                      // of a variant: the source has its name, for its value
    int64_t least, most;             // what the kernel's own arguments hold of it; both 0: not known
    struct where at;
};

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_BOTH };

struct buffer {
    const char *name, *type;                // element type as written: "float" or a type parameter's name
    const char *as;                         // the entry's argument; the name, where nothing else is said
    struct source_expr count, rows, planes; // `count: [width, height, depth]`; one number: count alone
    enum access access;
    enum { ACCESS_SAID, ACCESS_UNSAID, ACCESS_FOUND } by; // by the description, or else by match.c
    const char *fill; // "random", "index", "cycle", or "code" where the source has fill_<name>; NULL for write-only
    struct source_expr made;      // fill: C++ for element `i`; `fill` is "code"
    const char *low, *high;       // fill: {random: [low, high]}, C++ too
    const char *file, *file_hash; // fill: {file: NAME}: where it is, and what it held; `fill` is "file"
    bool shifts;                  // `vary: shift`: timed launches find that content begun at another place
    struct source_expr bytes;     // of a type that the source declares
    struct source_expr step;      // of `fill: cycle`: the distance from one link to the next, in elements
    const char *variable;         // "constant" or "symbol": no entry takes it, but a variable has its name
    const char *about;
    struct where at;
};

struct report_value { // `reports: {cycles: {type: ..., about: ...}}`: a small output that becomes a column
    const char *name, *type, *about, *unit;
    struct where at;
};

// `{tensor: in, box: [64, 8]}`: a tensor map, by which a GPU's copy unit finds boxes of a buffer.
enum { TENSOR_RANK = 5 };
enum tensor_list { TENSOR_SIZE, TENSOR_STRIDE, TENSOR_BOX, TENSOR_STEP, TENSOR_LOWER, TENSOR_UPPER, TENSOR_LISTS };
enum tensor_word { TENSOR_SWIZZLE, TENSOR_PROMOTE, TENSOR_WORDS };
struct tensor {
    struct source_expr of; // the buffer, or a place in it
    struct source_expr lists[TENSOR_LISTS][TENSOR_RANK];
    int counts[TENSOR_LISTS];               // 0: not said; with corners (im2col) the box is channels and pixels
    struct source_expr words[TENSOR_WORDS]; // in bytes
    bool nan;                               // what is outside is no number
};

// An argument that is more than a parameter or a buffer (`arguments: {NAME: VALUE}`): a number; a place in a buffer
// (`in + 2 * n`); a vector's elements; a tensor map; else C++ that makes the value on the device.
struct passed {
    const char *name;
    struct source_expr items[4];
    int count;                   // more than one: a vector's elements
    const struct tensor *tensor; // or this
    struct where at;
};

// One entry of `sequence:`: a launch, or a sequence within. It is done `repeat` times. After each time the two buffers
// of each pair in `swap` change names.
enum { STEP_SWAPS = 8 };
struct step {
    const char *entry; // NULL: a sequence of its own
    struct source_expr threads[3], block[3], grid[3], shared, repeat;
    const struct passed *passed;
    size_t passed_count;
    const struct step *steps;
    size_t step_count;
    const char *swap[STEP_SWAPS][2];
    size_t swap_count;
    struct where at;
};

// One function of the source: its arguments in order.
struct argument {
    const char *name, *type; // "const T *", "size_t"
    struct where at;         // of its name
};
struct template_param {
    const char *name, *fallback; // fallback: its default, or NULL
};
struct function {
    const char *name, *scope; // scope: the namespaces around it, "a::b::", or ""
    const struct argument *arguments;
    size_t count;
    int line;
    const struct template_param *params; // of a template
    size_t param_count;
    bool is_template;
};

struct expects { // a function that says what each element of that buffer must be
    const struct function *by;
    size_t buffer;
};

struct kernel {
    const char *name;   // "stride"
    const char *path;   // "kernels/stride.cu"
    const char *text;   // the whole file, as it was read
    const char *source; // the same with the user's own includes in their places
    const char *about;
    const char *entry;     // entry point, or its stem when there are variants
    struct where entry_at; // where that is said
    const struct param *params;
    size_t param_count;
    const struct buffer *buffers;
    size_t buffer_count;
    const struct report_value *reports;
    size_t report_count;
    struct source_expr threads[3];        // threads wanted in x, y, z; text NULL: 1
    struct source_expr block[3], grid[3]; // where the experiment says nothing; text NULL: the setting's default
    const struct passed *passed;
    size_t passed_count;
    const struct step *steps; // none: one launch of `entry`
    size_t step_count;
    const char *host; // C++ of the host that launches, in place of all that; NULL: there is none
    struct where host_at;
    // Expressions know the parameters, the settings (block), and built-in types: float in sizeof(float) is the text
    // "float".
    struct source_expr useful, flops;
    struct source_expr shared, checks; // dynamic shared bytes; how many elements `check` is called for
    struct source_expr carveout;       // where the experiment sets none; the key of a row holds its value
    struct source_expr needs;          // true at every point that there may be
    struct source_expr tolerance[2];   // absolute, relative: of what `expected` returns
    struct where tolerance_at;
    const struct function *functions; // every __global__ of the file
    size_t function_count;
    const struct function *check;     // or `expected`; NULL: none, results are not verified
    const struct function *checks_of; // check_<variant> or expected_<variant>, where variants have their own
    size_t checks_of_count;
    const struct expects *expects; // expected_<buffer>; the first of them is `check` too
    size_t expect_count;
    struct arena *arena;
};

// Reads kernels/<name>.cu (or a path) and checks all of it: NULL after adding every complaint.
struct kernel *kernel_load(const char *name_or_path, struct diags *);
// The same from text: for tests and the fuzz target. `path` is for messages.
struct kernel *kernel_parse(const char *path, const char *text, struct diags *);
void kernel_free(struct kernel *);
const struct param *kernel_param(const struct kernel *, const char *name);
const struct buffer *kernel_buffer(const struct kernel *, const char *name);
// An argument named "pitch", "in_pitch" or "in_slice" gets a distance in bytes: from row to row, or from plane to
// plane, of a buffer whose `count` has rows (planes). The function returns that buffer. NULL: it is no such name.
const struct buffer *kernel_pitch(const struct kernel *, const char *name, bool *slice);
// By what the source calls them, or by their own name: the parameter, the buffer, what is passed.
const struct param *kernel_param_as(const struct kernel *, const char *name);
const struct buffer *kernel_buffer_as(const struct kernel *, const char *name);
// Does it return what an element must be, and not whether it is right?
bool kernel_expects(const struct function *check);
// What verifies a variant (NULL: without one): its own function, else the one for all, else NULL.
const struct function *kernel_check(const struct kernel *, const char *variant);
const struct passed *kernel_passed(const struct kernel *, const char *name);
// Has a kernel an argument of that name?
bool kernel_takes(const struct kernel *, const char *name);
// The function's own name in what an entry is called: `k` of "ns::k", "ns::k<float, 128>", "of<int>::k<T>".
const char *kernel_stem(const char *entry, size_t *n);
// What the instance of a template calls its parameters: `T` of "sum<float, 128>" is float.
// NULL: it is no parameter of the template.
const char *kernel_instance(const struct function *, const char *entry, const char *word, size_t n, struct arena *);
// The __global__ of that name, which may say namespaces and an instantiation: "ns::reduce<float, 128>".
const struct function *kernel_function(const struct kernel *, const char *name);

// sizeof of a type that buffers and expressions may name (char ... double4, half, size_t, pointers); 0: unknown.
size_t kernel_type_size(const char *type);
// "float" of "const float *".
const char *kernel_type_pointee(const char *pointer, struct arena *);
// Does the pointer point to what is certainly another type than the buffer's? Bytes and vectors of the same scalar are
// other views of it, and a type that the source declares is not known.
bool kernel_type_differs(const char *pointer, const char *element);
const char *kernel_type_name(size_t i); // of the types there are, from 0 (pointers left out); NULL after the last
// The scalar it is made of and how many: one of bool, char, signed char, unsigned char, short, unsigned short, int,
// unsigned int, long long, unsigned long long, float, double, half, __nv_bfloat16 ("float" and 4 of float4); NULL:
// unknown.
const char *kernel_type_scalar(const char *type, int *lanes);
