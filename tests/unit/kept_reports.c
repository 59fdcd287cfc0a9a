// The experiments that ship and their reports of an H200 belong together: each experiment claims something, and each
// report is about the kernel and the points that stand in the files today, and bears the claims out. A report that no
// longer fits is measured again: `ONLY="NAME NAME_small" bash tests/gpu/run.sh BUILD OUT` (tests/README.md).
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "page/answer.h"
#include "page/html.h"
#include "run/claims.h"
#include "run/record.h"
#include "spec/fingerprint.h"
#include "spec/themes.h"
#include "unit/test.h"

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *about; // the report that is looked at

static void claim(void *context, bool broken, struct where at, const char *line)
{
    (void)context;
    if (broken) printf("%s: %s:%d: %s\n", about, at.file, at.line, line);
}

// `text` is cut in place: what the command line gave stands there with a blank between.
static size_t split(char *text, struct override *to, size_t most)
{
    size_t n = 0;
    int depth = 0;
    char *begin = text;
    for (char *p = text;; p++) {
        depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']');
        if (*p && (*p != ' ' || depth)) continue;
        const bool end = !*p;
        *p = '\0';
        if (*begin && n < most) to[n++].text = begin;
        if (end) return n;
        begin = p + 1;
    }
}

static void look(const struct experiment *e, const char *csv, const char *facts)
{
    static const struct run_observer observer = {.claim = claim};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct claims claims = {0};
    struct diags d = {0};
    struct table t;
    char hex[33], *fingerprint_then = runfile_get(facts, "kernel_fingerprint", 0), *plan_then;
    fingerprint(e->kernel, hex);
    if (!fingerprint_then || strcmp(fingerprint_then, hex) != 0)
        printf("%s: the kernel %s is another one now\n", csv, e->kernel->path);
    CHECK(fingerprint_then && strcmp(fingerprint_then, hex) == 0);
    free(fingerprint_then);
    if (!e->script && (plan_then = runfile_get(facts, "plan", 0))) { // a script's points depend on what was measured
        struct plan *plan = plan_new(e, box, &d);
        CHECK(plan);
        if (plan) record_plan(plan, hex);
        if (strcmp(plan_then, hex) != 0) printf("%s: %s has other points now\n", csv, e->file);
        CHECK_TEXT(plan_then, hex);
        if (plan) plan_free(plan);
        free(plan_then);
    }
    about = csv;
    const bool open = table_open(&t, csv, &d);
    CHECK(open && claims_check(e, &t, false, box, &observer, &claims, &d));
    CHECK_INT(claims.broken, 0);
    CHECK_INT(diags_errors(&d), 0);
    claims_release(&claims);
    table_close(&t);
    sandbox_free(box);
    diags_clear(&d);
}

// A number of a text: 2.19 is known to 0.005, 300 to 50.
struct told_number {
    double is, half;
    const char *unit; // what stands behind it
};

static bool next_number(const char **text, struct told_number *n)
{
    const char *p = *text;
    while (*p && !((isdigit((unsigned char)*p)) && (p == *text || !(isalnum((unsigned char)p[-1]) || p[-1] == '.'))))
        p++;
    if (!*p) return false;
    char *end;
    n->is = strtod(p, &end), n->half = 0.5;
    if (end > p && end[-1] == '.') end--; // the sentence's end
    const char *point = memchr(p, '.', (size_t)(end - p));
    for (const char *d = point ? point + 1 : end; d < end; d++) n->half /= 10;
    for (const char *d = end; !point && d - 1 > p && d[-1] == '0'; d--) n->half *= 10;
    n->unit = end + strspn(end, " ");
    *text = end;
    return true;
}

// 1843 us is 1.84 ms; `within` what is shown, or a share.
static bool alike(const struct told_number *a, const struct told_number *b, double share)
{
    bool same = false;
    for (int k = -6; k <= 6; k += 3) {
        const double scale = pow(10, k), off = fabs(a->is - b->is * scale);
        same |= off <= 1.001 * (share > 0 ? share * a->is : fmax(a->half, b->half * scale));
    }
    return same;
}

static bool relative(const struct told_number *n)
{
    return strncmp(n->unit, "%", 1) == 0 || strncmp(n->unit, "times", 5) == 0;
}

static bool has(const char *text, const struct told_number *n, double share, bool unit)
{
    struct told_number one;
    bool found = false;
    while (!found && next_number(&text, &one)) found = (!unit || one.unit[0] == n->unit[0]) && alike(n, &one, share);
    return found;
}

static bool has_unit(const char *text, const struct told_number *n)
{
    struct told_number one;
    bool found = false;
    while (!found && next_number(&text, &one)) found = one.unit[0] == n->unit[0] && relative(&one);
    return found;
}

// What was found says no number that the page's first sentence nearly says: a share or a factor of its own first
// sentence stands there, and what stands there within 3 % of one of its numbers is that number.
static void found_says_the_same(const struct experiment *e, const char *headline)
{
    const char *stop = strstr(e->found.says, ". ");
    char *first = stop ? strndup(e->found.says, (size_t)(stop - e->found.says)) : strdup(e->found.says);
    struct told_number n;
    bool good = true;
    for (const char *p = first; next_number(&p, &n);) {
        const bool same = !relative(&n) || !has_unit(headline, &n) || has(headline, &n, 0, true);
        if (!same) printf("%s: `found` says %g %.5s, the page: %s\n", e->file, n.is, n.unit, headline);
        good &= same;
    }
    for (const char *p = headline; next_number(&p, &n);) {
        const bool same =
            n.is < 10 * n.half || has(e->found.says, &n, 0, false) || !has(e->found.says, &n, 0.03, false);
        if (!same) printf("%s: the page says %g %.5s, `found` nearly: %s\n", e->file, n.is, n.unit, e->found.says);
        good &= same;
    }
    CHECK(good);
    free(first);
}

// The sentence with which an experiment answers is told of the report that it names.
static void the_answer_is_told(const struct experiment *e, const char *csv)
{
    struct sheet sheet;
    struct str told = {0};
    struct diags d = {0};
    const struct chart_wish nothing = {0};
    CHECK(sheet_read(&sheet, csv, &nothing, &d));
    const bool own = e->found.report && strcmp(e->found.report, csv) == 0;
    if (own && !told_answer(&sheet.view, &sheet.question, &told)) printf("%s: no `answer` can be told\n", csv);
    CHECK(!own || told.size);
    if (own && told.size) found_says_the_same(e, told.text);
    str_release(&told);
    sheet_release(&sheet);
    diags_clear(&d);
}

static void report_fits(const char *csv)
{
    struct override given[32];
    struct experiments file = {0};
    struct diags d = {0};
    char *facts = runfile_read(csv);
    CHECK(facts);
    if (!facts) return;
    char *name = runfile_get(facts, "experiment", 0), *path = runfile_get(facts, "file", 0);
    char *overrides = runfile_get(facts, "overrides", 0);
    size_t count = overrides ? split(overrides, given, 32) : 0;
    char *own[32] = {0}, word[32];
    for (size_t i = 0; i < 32 && count < 32; i++) {
        snprintf(word, sizeof word, "override_%zu", i);
        if (!(own[i] = runfile_get(facts, word, 0))) break;
        given[count++].text = own[i];
    }
    bool there = false;
    if (!experiments_load(path, given, count, &file, &d)) printf("%s: %s: %s\n", csv, path, diags_first(&d));
    for (size_t i = 0; i < file.count; i++)
        if (strcmp(file.items[i]->name, name) == 0) {
            there = true;
            look(file.items[i], csv, facts);
            the_answer_is_told(file.items[i], csv);
        }
    if (!there) printf("%s: %s has no experiment `%s`\n", csv, path, name);
    CHECK(there);
    experiments_free(&file);
    diags_clear(&d);
    for (size_t i = 0; i < 32; i++) free(own[i]);
    free(overrides);
    free(path);
    free(name);
    free(facts);
}

static void each_report_fits_its_files(void)
{
    glob_t found;
    CHECK_INT(glob("reports/h200/*.run.yaml", 0, NULL, &found), 0);
    CHECK(found.gl_pathc > 50);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char csv[256];
        snprintf(csv, sizeof csv, "%.*s.csv", (int)(strlen(found.gl_pathv[i]) - strlen(".run.yaml")),
            found.gl_pathv[i]);
        report_fits(csv);
    }
    globfree(&found);
}

static void each_experiment_claims_something_and_has_a_report(void)
{
    glob_t found;
    CHECK_INT(glob("experiments/*.yaml", 0, NULL, &found), 0);
    CHECK(found.gl_pathc > 40);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct experiments file = {0};
        struct diags d = {0};
        CHECK(experiments_load(found.gl_pathv[i], NULL, 0, &file, &d));
        for (size_t k = 0; k < file.count; k++) {
            char csv[256];
            snprintf(csv, sizeof csv, "reports/h200/%s.csv", file.items[k]->name);
            if (!file.items[k]->expect_count) printf("%s claims nothing\n", found.gl_pathv[i]);
            CHECK(file.items[k]->expect_count > 0);
            if (!file_exists(csv)) printf("%s has no report\n", found.gl_pathv[i]);
            CHECK(file_exists(csv));
        }
        experiments_free(&file);
        diags_clear(&d);
    }
    globfree(&found);
}

// Each has a place among those of its theme, and no place is of one that is not there.
static void themes_order_their_experiments(void)
{
    size_t placed = 0, listed = 0;
    glob_t found;
    CHECK_INT(glob("experiments/*.yaml", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct experiments file = {0};
        struct diags d = {0};
        CHECK(experiments_load(found.gl_pathv[i], NULL, 0, &file, &d));
        for (size_t k = 0; k < file.count; k++) {
            const char *theme = file.items[k]->theme ? file.items[k]->theme : "";
            const bool known = themes[theme_place(theme)].name != NULL,
                       here = theme_step(theme, file.items[k]->name) != SIZE_MAX;
            if (known && !here) printf("runner/spec/themes.c: `%s` has no place for %s\n", theme, file.items[k]->name);
            CHECK(here == known);
            placed += here;
        }
        experiments_free(&file);
        diags_clear(&d);
    }
    globfree(&found);
    for (const struct theme *t = themes; t->name; t++) {
        listed++;
        for (const char *p = t->order; *p; p++) listed += *p == ' ';
    }
    CHECK_INT(placed, listed);
}

int main(void)
{
    if (chdir(TESTS_DIR "/..") != 0) return 1;
    each_experiment_claims_something_and_has_a_report();
    each_report_fits_its_files();
    themes_order_their_experiments();
    return test_end();
}
