// Looks settings up and checks what is written for them, from the one table in settings.h.
// SPDX-License-Identifier: MIT
#include "spec/settings.h"

#include <stdio.h>
#include <string.h>

static const struct choice no_choices[] = {{NULL, NULL}};
static const struct choice memory_choices[] = {
    {"device", "memory of the GPU (cudaMalloc)"},
    {"managed", "one address for host and device, pages move to who touches them (cudaMallocManaged)"},
    {"mapped", "pinned memory of the host that kernels read and write over the bus (zero-copy)"},
    {"pool", "memory of the GPU from a stream-ordered pool (cudaMallocAsync)"},
    {"peer", "memory of the next GPU, over the link between them"},
    {"pitched", "rows that each begin at an aligned address (cudaMallocPitch); the kernel takes the pitch"},
    {"constant", "a __constant__ variable of the source, named like the buffer"},
    {"symbol", "a __device__ variable of the source, named like the buffer"},
    {"texture", "read through a texture object; `count` is [width, height, depth], of layers their number last"},
    {"surface", "read and written through a surface object; on the simulator only, as yet"},
    {NULL, NULL},
};
static const struct choice host_choices[] = {
    {"pageable", "plain memory of the host (malloc)"},
    {"pinned", "page-locked (cudaMallocHost)"},
    {"write_combined", "page-locked and not cached: quick to write, slow to read"},
    {"registered", "plain memory that is page-locked afterwards (cudaHostRegister)"},
    {"portable", "page-locked for every context"},
    {NULL, NULL},
};
static const struct choice timed_choices[] = {
    {"launch", "the kernel"},
    {"upload", "the copies from host to device"},
    {"download", "the copies from device to host"},
    {"roundtrip", "upload, launch and download"},
    {"prefetch_device", "bringing managed memory from the host to the device"},
    {"prefetch_host", "bringing managed memory back to the host"},
    {"copy", "the runtime copies what is read to what is written, in the kernel's place; over `streams` at once"},
    {"allocate", "the buffers are taken and given back, by the host's clock"},
    {NULL, NULL},
};
static const struct choice touch_choices[] = {
    {"host", "the host reads and writes a word of each page"},
    {"device", "the device reads and writes it"},
    {"warp_per_page", "the device, a warp for each page"},
    {NULL, NULL},
};
static const struct choice advise_choices[] = {
    {"none", "no advice"},
    {"read_mostly", "pages are copied to who reads them"},
    {"preferred_location", "pages stay on the device"},
    {"accessed_by", "the device maps pages wherever they lie"},
    {NULL, NULL},
};
static const struct choice window_hits_choices[] = {
    {"normal", "no preference"},
    {"streaming", "likely to be read once: leaves L2 first"},
    {"persisting", "likely to be read again: stays in the set-aside part of L2"},
    {NULL, NULL},
};
static const struct choice window_misses_choices[] = {
    {"normal", "no preference"},
    {"streaming", "likely to be read once: leaves L2 first"},
    {NULL, NULL},
};
static const struct choice persist_choices[] = {
    {"fraction", "a share of the most allowed, 0 to 1 or a percentage"},
    {NULL, NULL},
};
static const struct choice fetch_choices[] = {
    {"32", "one sector"},
    {"64", "two sectors"},
    {"128", "a whole line"},
    {NULL, NULL},
};
static const struct choice texture_address_choices[] = {
    {"clamp", "the nearest element of the edge"},
    {"border", "zero"},
    {"wrap", "what is there when the texture is repeated"},
    {"mirror", "what is there when every second repetition is turned round"},
    {NULL, NULL},
};
static const struct choice texture_filter_choices[] = {
    {"point", "the nearest element"},
    {"linear", "a weighted mean of the nearest elements"},
    {NULL, NULL},
};
static const struct choice via_choices[] = {
    {"stream", "launched into a stream"},
    {"graph", "captured once, launched as a CUDA graph"},
    {NULL, NULL},
};
static const struct choice cache_choices[] = {
    {"cold", "L2 is flushed before every sample"},
    {"warm", "L2 holds what the run before left there"},
    {NULL, NULL},
};
static const struct choice counters_choices[] = {
    {"auto",
        "sim on sim; on a GPU what `expect`, `derive` or a script asks for, by its counters where they are permitted, "
        "else by the simulator, and else nothing"},
    {"none", "nothing is counted"},
    {"sim", "the simulator counts, beside a GPU too, whose times are held against the model"},
    {"hardware", "the GPU's own counters"},
    {"both", "the GPU's counters, and the simulator's beside them as sim_ columns"},
    {NULL, NULL},
};
static const struct choice check_choices[] = {
    {"auto", "in some blocks of each part of the grid, as long as it costs little"},
    {"full", "in all, one after the other"},
    {"none", "in none"},
    {NULL, NULL},
};
static const struct choice model_choices[] = {
    {"time", "traffic, and the time with its interval"},
    {"traffic", "what L1, L2 and memory give and take"},
    {"none", "nothing: counting alone is quicker"},
    {NULL, NULL},
};
static const struct choice compiler_choices[] = {
    {"nvrtc", "the Toolkit's library: starts quickly, knows no host"},
    {"nvcc", "the Toolkit's compiler, as programs are built with"},
    {"clang", "no registers, no machine code"},
    {NULL, NULL},
};
static const struct choice options_choices[] = {
    {"none", "no option"},
    {"--use_fast_math", "quick, less exact arithmetic and functions"},
    {"--fmad=false", "no joining of a multiplication and an addition"},
    {"--ftz=true", "numbers near zero become zero"},
    {"--prec-div=false", "quick division"},
    {"--prec-sqrt=false", "quick square root"},
    {"--extra-device-vectorization", "more vector instructions"},
    {"--expt-relaxed-constexpr", "functions that are constexpr are the device's too"},
    {"--extended-lambda", "lambdas with a mark: [] __device__ () {}"},
    {"-DNAME=VALUE", "defines a macro; -UNAME takes one back"},
    {"-std=c++20", "another C++ than 17"},
    {"-Xptxas=OPTION", "an option of ptxas"},
    {"--maxrregcount=NUMBER", "the most registers of a thread, as the setting `maxregs` has it"},
    {"-diag-suppress=NUMBER", "a warning less"},
    {NULL, NULL},
};

// Is it one of the choices, or of the form of one that shows what it takes?
static bool takes_option(const char *text)
{
    static const char *const forms[] = {
        "-D", "-U", "-std=c++", "-Xptxas=-", "-diag-suppress=", "--maxrregcount=", NULL};
    static const char *const others[] = {"-use_fast_math", "-fmad=false", "-ftz=true", "-prec-div=false",
        "-prec-sqrt=false", "-extended-lambda", "--expt-extended-lambda", "--fmad=true", "--ftz=false", NULL};
    if (strpbrk(text, " \t\n")) return false;
    for (int i = 0; forms[i]; i++)
        if (strncmp(text, forms[i], strlen(forms[i])) == 0 && text[strlen(forms[i])]) return true;
    for (int i = 0; others[i]; i++)
        if (strcmp(text, others[i]) == 0) return true;
    return choice_find(options_choices, text) >= 0;
}

const struct setting_facts setting_table[SETTING_COUNT] = {
#define X(id, name, type, choices, fallback, needs_cuda, about) \
    [SETTING_##id] = {name, SETTING_##type, choices, fallback, about, needs_cuda},
    SETTINGS(X)
#undef X
};

int setting_named(const char *name)
{
    for (int i = 0; i < SETTING_COUNT; i++)
        if (strcmp(setting_table[i].name, name) == 0) return i;
    return -1;
}

int setting_find(const char *name)
{
    return strncmp(name, "memory.", 7) == 0 && name[7] ? SETTING_MEMORY : setting_named(name);
}

bool setting_has_parts(const char *name)
{
    const size_t n = strlen(name);
    for (int i = 0; i < SETTING_COUNT; i++)
        if (strncmp(setting_table[i].name, name, n) == 0 && setting_table[i].name[n] == '.') return true;
    return strcmp(name, setting_table[SETTING_MEMORY].name) == 0;
}

static bool complain(char why[200], const char *takes)
{
    snprintf(why, 200, "%s", takes);
    return false;
}

static bool takes_choice(enum setting s, const char *before, char why[200])
{
    LOCAL(str_release) struct str list = {0};
    str_add(&list, before);
    for (const struct choice *c = setting_table[s].choices; c->word; c++) {
        str_add(&list, c->word);
        if (c[1].word) str_add(&list, c[2].word ? ", " : " or ");
    }
    complain(why, list.text);
    return false;
}

static bool check_int(enum setting s, const struct value *v, enum unit unit, char why[200])
{
    const struct choice *choices = setting_table[s].choices;
    char text[24];
    if (v->kind != VALUE_INT || unit != UNIT_NONE || v->i < 1 || v->i > INT32_MAX)
        return choices->word ? takes_choice(s, "", why) : complain(why, "a whole number of at least 1");
    snprintf(text, sizeof text, "%lld", (long long)v->i);
    return !choices->word || choice_find(choices, text) >= 0 || takes_choice(s, "", why);
}

static bool check_fraction(struct value *v, enum unit unit, char why[200])
{
    double r;
    if ((v->kind != VALUE_INT && v->kind != VALUE_REAL) || !value_number(*v, &r) || !(r >= 0 && r <= 1) ||
        (unit != UNIT_NONE && unit != UNIT_PERCENT))
        return complain(why, "a number from 0 to 1, or a percentage");
    *v = value_real(r);
    return true;
}

// `persist` also takes a share of the most that is allowed: 1 alone is all of it, since one byte would be useless.
static bool check_bytes(enum setting s, struct value *v, enum unit unit, char why[200])
{
    bool share = choice_find(setting_table[s].choices, "fraction") >= 0;
    if (share &&
        (v->kind == VALUE_REAL || unit == UNIT_PERCENT || (v->kind == VALUE_INT && v->i == 1 && unit == UNIT_NONE))) {
        char ignored[200];
        return check_fraction(v, unit, ignored) ||
            complain(why, "bytes (16MiB), or a share of the most allowed (0.5, 50%)");
    }
    if (v->kind != VALUE_INT || v->i < 0 || (unit != UNIT_NONE && unit != UNIT_BYTES))
        return complain(why,
            share ? "bytes (16MiB), or a share of the most allowed (0.5, 50%)" : "a whole number of bytes (16MiB)");
    return true;
}

static bool check_dim(const struct value *v, enum unit unit, char why[200])
{
    const struct value *items = v;
    size_t count = 1;
    if (v->kind == VALUE_LIST) items = v->list->items, count = v->list->count;
    bool good = unit == UNIT_NONE && count >= 1 && count <= 3;
    // A text is an expression, for the point to make a number of: `block: TB`, `grid: [2 * tiles, 1]`.
    for (size_t i = 0; good && i < count; i++)
        good = (items[i].kind == VALUE_TEXT && *items[i].text) ||
            (items[i].kind == VALUE_INT && items[i].i >= 1 && items[i].i <= INT32_MAX);
    return good || complain(why, "a whole number of at least 1, or a list of up to three: [x, y, z]");
}

static bool takes_flag(enum setting s, const char *text)
{
    return s == SETTING_OPTIONS ? takes_option(text) : choice_find(setting_table[s].choices, text) >= 0;
}

static bool check_flags(enum setting s, const struct value *v, char why[200])
{
    if (v->kind == VALUE_TEXT) return takes_flag(s, v->text) || takes_choice(s, "", why);
    if (v->kind != VALUE_LIST || !v->list->count) return takes_choice(s, "one or a list of ", why);
    for (size_t i = 0; i < v->list->count; i++) {
        const struct value *item = &v->list->items[i];
        if (item->kind != VALUE_TEXT || !takes_flag(s, item->text)) return takes_choice(s, "one or a list of ", why);
        if (strcmp(item->text, "none") == 0 && v->list->count > 1)
            return complain(why, "a list of the others or `none` alone");
    }
    return true;
}

// Only the form counts here, and the simulator's profiles. Which GPUs there are is asked when one is opened.
static bool check_device(const char *text, char why[200])
{
    char forms[160];
    return setting_is_device(text, forms) || complain(why, forms);
}

bool setting_check(enum setting s, struct value *v, enum unit unit, char why[200])
{
    double r;
    switch (setting_table[s].type) {
    case SETTING_INT: return check_int(s, v, unit, why);
    case SETTING_FRACTION: return check_fraction(v, unit, why);
    case SETTING_BYTES: return check_bytes(s, v, unit, why);
    case SETTING_DIM: return check_dim(v, unit, why);
    case SETTING_FLAGS: return check_flags(s, v, why);
    case SETTING_BOOL: return v->kind == VALUE_BOOL || complain(why, "true or false");
    case SETTING_CHOICE:
        return (v->kind == VALUE_TEXT && (choice_find(setting_table[s].choices, v->text) >= 0)) ||
            takes_choice(s, "", why);
    case SETTING_TEXT:
        if (v->kind != VALUE_TEXT || !*v->text)
            return complain(why, s == SETTING_WINDOW_BUFFER ? "the name of a buffer" : "a name");
        return s != SETTING_DEVICE || check_device(v->text, why);
    case SETTING_TIME:
        if ((v->kind != VALUE_INT && v->kind != VALUE_REAL) || !value_number(*v, &r) || !(r > 0) ||
            (unit != UNIT_NONE && unit != UNIT_SECONDS))
            return complain(why, "a time (50ms, 2s; a bare number is seconds)");
        *v = value_real(r);
        return true;
    }
    return false;
}

struct value setting_default(enum setting s)
{
    const struct setting_facts *f = &setting_table[s];
    struct value v = {0};
    enum unit unit = UNIT_NONE;
    char why[200];
    if (!*f->fallback) return v;
    if (f->type == SETTING_BOOL) v = value_bool(strcmp(f->fallback, "true") == 0);
    else if (!units_parse(f->fallback, &v, &unit, why)) v = value_text(f->fallback);
    return setting_check(s, &v, unit, why) ? v : (struct value){0};
}
