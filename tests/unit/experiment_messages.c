// Every file under tests/messages/ is read, and what comes out - its complaints as a user sees them, or what was
// understood - has to be what NAME.txt beside it says. A line `#-s key=value` in an experiment is an override. UPDATE=1
// writes the .txt files anew: read the difference before keeping it.
// SPDX-License-Identifier: MIT
#include "spec/experiment.h"

#include "base/file.h"
#include "unit/test.h"

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

static void print_value(struct value v, FILE *out)
{
    struct str s = {0};
    value_print(v, &s);
    fprintf(out, " %s%s", s.text ? s.text : "-", v.kind == VALUE_REAL ? "r" : "");
    str_release(&s);
}

static void print_assignments(const char *what, const struct assignments *a, FILE *out)
{
    if (a->count) fprintf(out, "  %s", what);
    for (size_t i = 0; i < a->count; i++) {
        fprintf(out, "%s %s =", i ? "," : "", a->items[i].name);
        print_value(a->items[i].value, out);
    }
    if (a->count) fputc('\n', out);
}

static void print_experiment(const struct experiment *e, FILE *out)
{
    const struct goals *g = &e->goals;
    fprintf(out, "%s: kernel %s, question %s\n", e->name, e->kernel->name, e->question ? e->question : "-");
    print_assignments("with", &e->with, out);
    for (size_t i = 0; i < e->sweep_count; i++)
        for (size_t k = 0; k < e->sweep[i].count; k++) {
            const struct axis *axis = &e->sweep[i].items[k];
            fprintf(out, "  %s %s:", e->sweep[i].count > 1 ? "together" : "sweep", axis->name);
            for (size_t n = 0; n < axis->count; n++) print_value(axis->values[n], out);
            fputc('\n', out);
        }
    for (size_t i = 0; i < e->where_count; i++) fprintf(out, "  where %s\n", e->where[i].text);
    for (size_t i = 0; i < e->include_count; i++) print_assignments("include", &e->include[i], out);
    for (size_t i = 0; i < e->exclude_count; i++) print_assignments("exclude", &e->exclude[i], out);
    fprintf(out, "  measure %g %d %d %g %g %d\n", g->precision, g->min_samples, g->max_samples, g->max_time,
        g->min_sample, g->warmup);
    for (size_t i = 0; i < e->derive_count; i++)
        fprintf(out, "  derive %s = %s\n", e->derive[i].name, e->derive[i].expr.text);
    for (size_t i = 0; i < e->expect_count; i++)
        fprintf(out, "  expect %s: %s\n", e->expect[i].when.text ? e->expect[i].when.text : "always",
            e->expect[i].that.text);
    if (e->script) fprintf(out, "  script %s\n", e->script);
    print_assignments("options", &e->script_options, out);
    for (size_t i = 0; e->keep_together && e->keep_together[i]; i++)
        fprintf(out, "  keep_together %s\n", e->keep_together[i]);
    fputs("  names", out);
    for (size_t i = 0; i < e->name_count; i++) fprintf(out, " %s", e->names[i]);
    fputc('\n', out);
}

// The overrides that the text's own comments ask for; the texts are cut out of `copy`.
static size_t find_overrides(char *copy, struct override *out, size_t most)
{
    size_t count = 0;
    for (char *p = copy; (p = strstr(p, "#-s ")) && count < most;) {
        char *end = strchr(p, '\n');
        out[count++].text = p + 4;
        if (!end) break;
        *end = '\0';
        p = end + 1;
    }
    return count;
}

static void read_experiments(const char *path, FILE *out, struct diags *d)
{
    struct experiments all = {0};
    struct override overrides[32];
    size_t size;
    char *text = file_read(path, 1 << 20, &size, d), *copy = file_read(path, 1 << 20, NULL, d);
    if (text && copy && experiments_parse(path, text, size, overrides, find_overrides(copy, overrides, 32), &all, d))
        for (size_t i = 0; i < all.count; i++) print_experiment(all.items[i], out);
    free(text);
    free(copy);
    experiments_free(&all);
}

static void transcript(const char *path)
{
    struct diags d = {0};
    char *got = NULL, expected[300];
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    bool kernel = strcmp(strrchr(path, '.'), ".cu") == 0;
    if (kernel) {
        struct kernel *k = kernel_load(path, &d);
        if (k) fprintf(out, "%s is fine\n", k->name);
        kernel_free(k);
    } else {
        read_experiments(path, out, &d);
    }
    diags_print(&d, out);
    fclose(out);
    diags_clear(&d);
    snprintf(expected, sizeof expected, "%.*s.txt", (int)(strrchr(path, '.') - path), path);
    if (getenv("UPDATE")) CHECK(file_write(expected, got, size, &d));
    char *want = file_read(expected, 1 << 20, NULL, &d);
    if (!want || strcmp(got, want) != 0) printf("--- %s\n", path);
    CHECK_TEXT(got, want ? want : "(there is no expected text)");
    free(want);
    free(got);
    diags_clear(&d);
}

static int transcripts(const char *folder, const char *suffix)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort), read = 0;
    for (int i = 0; i < n; i++) {
        const char *dot = strrchr(entries[i]->d_name, '.');
        char path[300];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (dot && strcmp(dot, suffix) == 0) transcript(path + (path[0] == '.' ? 2 : 0)), read++;
        free(entries[i]);
    }
    if (n >= 0) free(entries);
    return read;
}

int main(void)
{
    if (chdir(TESTS_DIR "/messages") != 0) return 1;
    CHECK(transcripts(".", ".yaml") > 10);
    CHECK(transcripts("kernels", ".cu") > 3);
    return test_end();
}
