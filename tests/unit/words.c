// The tables of words and the readers of files agree: every key of a table is taken with the value that the table gives
// as its example, is read (nonsense behind it is complained of), and no other key is taken. Every function in the list
// of functions is there for Lua, every setting takes its default and each of its words.
// SPDX-License-Identifier: MIT
#include "spec/words.h"

#include "lua/functions.h"
#include "lua/sandbox.h"
#include "spec/experiment.h"
#include "spec/scalar.h"
#include "unit/test.h"

#include <stdlib.h>
#include <unistd.h>

static char path[64] = "/tmp/gpuexp-words.XXXXXX"; // of the kernel; a file to fill from lies beside it

static bool is(const struct word *w, const char *name) { return strcmp(w->name, name) == 0; }

// "KEY: VALUE" with what else has to stand in the mapping.
static void add_mapping(struct str *s, const struct mapping *m, const char *key, const char *value)
{
    const bool step = m == &words_buffer && strcmp(key, "step") == 0;
    const bool corner = m == &words_tensor && (strcmp(key, "lower") == 0 || strcmp(key, "upper") == 0);
    const char *gap = "";
    str_add(s, "{");
    for (const struct word *w = m->words; w->name; w++) {
        bool other = w->needed && strcmp(w->name, key) != 0;
        other |= m == &words_tensor && is(w, "size") && strcmp(key, "size") != 0;
        other |= m == &words_range && is(w, "times") && strcmp(key, "step") != 0 && strcmp(key, "times") != 0;
        other |= m == &words_step && is(w, "launch") && strcmp(key, "sequence") != 0 && strcmp(key, "launch") != 0;
        other |= corner && (is(w, "lower") || is(w, "upper")) && strcmp(w->name, key) != 0;
        const char *own = step && is(w, "type") ? "int" : corner && is(w, "size") ? "[8, 4, 4, 4]" : w->example;
        if (other) str_addf(s, "%s%s: %s", gap, w->name, own), gap = ", ";
    }
    if (step) str_add(s, ", fill: cycle");
    if (m == &words_buffer && strcmp(key, "vary") == 0) str_add(s, ", fill: index");
    str_addf(s, "%s%s: %s}", gap, key, value);
}

static bool experiment_is_taken(const struct mapping *m, const char *key, const char *value, struct diags *d)
{
    struct str s = {0};
    struct experiments all = {0};
    const bool top = m == &words_experiment;
    if (!top || strcmp(key, "kernel") != 0) str_add(&s, "kernel: probe\n");
    if (!top || strcmp(key, "sweep") != 0) str_add(&s, "sweep: {stride: ");
    if (m == &words_range) add_mapping(&s, m, key, value);
    else if (!top || strcmp(key, "sweep") != 0) str_add(&s, "[1, 2]");
    if (!top || strcmp(key, "sweep") != 0) str_add(&s, "}\n");
    if (top) str_addf(&s, "%s: %s\n", key, value);
    else if (m != &words_range) {
        str_addf(&s, "%s%s: %s", m == &words_share ? "measure: {" : "", m->name, m == &words_derived ? "{mine: " : "");
        add_mapping(&s, m, key, value);
        if (m == &words_share || m == &words_derived) str_add(&s, "}");
    }
    const bool taken = experiments_parse("probe.yaml", s.text, s.size, NULL, 0, &all, d);
    experiments_free(&all);
    str_release(&s);
    return taken;
}

static bool kernel_is_taken(const struct mapping *m, const char *key, const char *value, struct diags *d)
{
    static const char *const base[][2] = {{"params", "{n: 1Ki}"}, {"reports", "{cycles: of the block}"},
        {"buffers",
            "{a: {type: float, count: n, access: both, fill: index}, b: {type: float, count: n, access: write}}"},
        {"threads", "n"}};
    struct str s = {0};
    const bool top = m == &words_kernel;
    str_add(&s, "/*\n");
    for (size_t i = 0; i < sizeof base / sizeof *base; i++) {
        if (top && (strcmp(key, base[i][0]) == 0 || (i == 3 && strcmp(key, "grid") == 0))) continue;
        if (top && i % 2 && strcmp(key, "host") == 0) continue; // whose launches say it
        if (strcmp(m->name, base[i][0]) != 0 && !(m == &words_fill && i == 2)) {
            str_addf(&s, "%s: %s\n", base[i][0], base[i][1]);
            continue;
        }
        str_addf(&s, "%s: {%s: ", m == &words_fill ? "buffers" : m->name, i == 0 ? "n" : i == 1 ? "cycles" : "a");
        if (m == &words_fill) str_add(&s, "{type: float, count: n, access: both, fill: ");
        add_mapping(&s, m, key, value);
        str_addf(&s, "%s%s}\n", m == &words_fill ? "}" : "",
            i == 2 ? ", b: {type: float, count: n, access: write}" : "");
    }
    if (top) str_addf(&s, "%s: %s\n", key, value);
    if (m == &words_step || m == &words_tolerance) {
        str_add(&s, m == &words_step ? "sequence: [" : "tolerance: ");
        add_mapping(&s, m, key, value);
        str_add(&s, m == &words_step ? "]\n" : "\n");
    }
    if (m == &words_tensor) {
        str_add(&s, "arguments: {m: ");
        add_mapping(&s, m, key, value);
        str_add(&s, "}\n");
    }
    str_addf(&s, "*/\n__global__ void probe(%s *a, float *b, size_t n, %s *cycles%s) {}\n",
        strstr(s.text, "type: int") ? "int" : "float", strstr(s.text, "cycles: {type: float") ? "float" : "long long",
        m == &words_tensor ? ", const __grid_constant__ CUtensorMap m" : "");
    if (strstr(s.text, "tolerance")) { // which is about the one buffer that is written
        memcpy(strstr(s.text, "both"), "read", 4);
        str_add(&s, "__device__ float expected(size_t i, const float *a) { return a[i]; }\n");
    }
    struct kernel *k = kernel_parse(path, s.text, d);
    const bool taken = k != NULL;
    if (k) kernel_free(k);
    str_release(&s);
    return taken;
}

typedef bool taken_fn(const struct mapping *, const char *key, const char *value, struct diags *);

static bool taken(taken_fn *read, const struct mapping *m, const char *key, const char *value, bool quiet)
{
    struct diags d = {0};
    const bool yes = read(m, key, value, &d);
    if (!yes && !quiet) diags_print(&d, stdout);
    diags_clear(&d);
    return yes;
}

static int a_key_of_the_table_is_read_and_no_other(taken_fn *read, const struct mapping *const *all)
{
    int keys = 0;
    for (; *all; all++) {
        for (const struct word *w = (*all)->words; w->name; w++, keys++) {
            char other[64];
            snprintf(other, sizeof other, "%sx", w->name);
            const bool good = taken(read, *all, w->name, w->example, false);
            const bool nonsense = taken(read, *all, w->name, "[[[[]]]]", true);
            const bool unknown = *all != &words_script && taken(read, *all, other, w->example, true);
            if (!good || nonsense || unknown) printf("`%s` of %s\n", w->name, (*all)->of);
            CHECK(good); // the example
            CHECK(!nonsense);
            CHECK(!unknown); // (what else stands in `script` is the script's)
            CHECK(*w->takes && *w->about);
        }
    }
    return keys;
}

static int words_of_a_choice_are_taken(const struct mapping *m, const char *key, const struct choice *list)
{
    int words = 0;
    for (; list->word; list++, words++) {
        static const char *const more[] = {
            "variant", "type", "constant", "code", "cycle"}; // these want more of the source
        bool plain = true;
        for (size_t i = 0; i < sizeof more / sizeof *more; i++) plain &= strcmp(list->word, more[i]) != 0;
        if (plain) CHECK(taken(kernel_is_taken, m, key, list->word, false));
        CHECK(*list->about);
    }
    CHECK(!taken(kernel_is_taken, m, key, "nosuch", true));
    return words;
}

static void a_setting_takes_its_words_and_its_default(void)
{
    for (int i = 0; i < SETTING_COUNT; i++) {
        const struct setting_facts *f = &setting_table[i];
        char why[200];
        CHECK(*f->about);
        if (*f->fallback) CHECK(setting_default((enum setting)i).kind != VALUE_NONE);
        for (const struct choice *c = f->choices; c->word; c++) {
            struct value v = value_text(c->word);
            if (f->type == SETTING_BYTES) continue; // `fraction` is a kind of number
            if (f->type == SETTING_INT) v = value_int(atoi(c->word));
            CHECK(setting_check((enum setting)i, &v, UNIT_NONE, why));
            CHECK(*c->about);
        }
    }
}

static void a_function_of_the_table_is_there(void)
{
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct arena *a = arena_new();
    struct diags d = {0};
    for (const struct choice *f = function_table; f->word; f++) {
        char text[64];
        struct value v = {0};
        snprintf(text, sizeof text, "type(%s)", f->word);
        struct expr *e = expr_new(box, text, (struct where){0}, &d);
        CHECK(e && expr_eval(e, NULL, a, &v, &d));
        CHECK(v.kind == VALUE_TEXT && strcmp(v.text, "nil") != 0);
        CHECK(*f->about);
        expr_free(e);
    }
    diags_print(&d, stdout);
    CHECK_INT(d.count, 0);
    diags_clear(&d);
    arena_free(a);
    sandbox_free(box);
}

int main(void)
{
    char data[96];
    if (chdir(TESTS_DIR "/messages") != 0 || !mkdtemp(path)) return 1;
    snprintf(data, sizeof data, "%s/data.csv", path);
    FILE *f = fopen(data, "w");
    if (!f || fclose(f) != 0) return 1;
    strcat(path, "/words.cu");
    CHECK(a_key_of_the_table_is_read_and_no_other(experiment_is_taken, words_of_experiments) > 20);
    CHECK(a_key_of_the_table_is_read_and_no_other(kernel_is_taken, words_of_kernels) > 40);
    CHECK_INT(words_of_a_choice_are_taken(&words_parameter, "kind", words_kinds), 4);
    CHECK_INT(words_of_a_choice_are_taken(&words_buffer, "access", words_access), 3);
    CHECK_INT(words_of_a_choice_are_taken(&words_buffer, "fill", words_fills), 4);
    CHECK_INT(words_of_a_choice_are_taken(&words_buffer, "vary", words_vary), 1);
    a_setting_takes_its_words_and_its_default();
    a_function_of_the_table_is_there();
    remove(data);
    *strrchr(path, '/') = '\0';
    rmdir(path);
    return test_end();
}
