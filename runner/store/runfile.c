// Facts, text and history of a report, in a YAML file of a form so plain that it is read back line by line.
// SPDX-License-Identifier: MIT
#include "store/runfile.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/beside.h"
#include "store/kept.h"
#include "store/swap.h"

// Beside the report itself, by whatever name it is called.
static char *beside_real(const char *report_path)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    char *real = file_real(report_path, &ignored), *path = beside_path(real ? real : report_path, BESIDE_RUN);
    free(real);
    return path;
}

void runfile_init(struct runfile *f, const char *report_path)
{
    *f = (struct runfile){.path = beside_real(report_path)};
}

void runfile_release(struct runfile *f)
{
    free(f->path);
    str_release(&f->facts);
    str_release(&f->before);
    str_release(&f->run);
}

static void add_quoted(struct str *s, const char *text)
{
    str_add(s, "\"");
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') str_addf(s, "\\%c", c);
        else if (c == '\n') str_add(s, "\\n");
        else if (c < ' ' || c == 0x7f) str_addf(s, "\\x%02X", c);
        else str_add_bytes(s, p, 1);
    }
    str_add(s, "\"\n");
}

// A format that is nothing but a number ("%zu", "%.3f"): its text is no text.
static bool is_number(const char *fmt, const char *text)
{
    const size_t n = strlen(fmt);
    return *fmt == '%' && n > 1 && strspn(fmt + 1, ".0123456789lzudgf") == n - 1 && strchr("udgf", fmt[n - 1]) &&
        *text && strspn(text, "-0123456789.") == strlen(text);
}

static void add_value(struct str *s, const char *fmt, const char *text)
{
    if (is_number(fmt, text)) str_addf(s, "%s\n", text);
    else add_quoted(s, text);
}

void runfile_fact(struct runfile *f, const char *name, const char *value)
{
    str_addf(&f->facts, "%s: ", name);
    add_quoted(&f->facts, value ? value : "");
}

void runfile_factf(struct runfile *f, const char *name, const char *fmt, ...)
{
    STR_FORMATTED(s, fmt);
    str_addf(&f->facts, "%s: ", name);
    add_value(&f->facts, fmt, s.text ? s.text : "");
}

// A literal block ends with a line's end, and has only characters that YAML allows there.
static bool fits_block(const char *text)
{
    for (const char *p = text; *p; p++)
        if (((unsigned char)*p < ' ' && *p != '\n' && *p != '\t') || *p == 0x7f) return false;
    return *text && text[strlen(text) - 1] == '\n';
}

// A literal block shows the text as its author wrote it; another text is quoted.
void runfile_block(struct runfile *f, const char *name, const char *text)
{
    if (!fits_block(text)) {
        runfile_fact(f, name, text);
        return;
    }
    str_addf(&f->facts, "%s: |2\n", name);
    for (const char *p = text; *p;) {
        size_t n = strcspn(p, "\n");
        if (n) str_add(&f->facts, "  ");
        str_add_bytes(&f->facts, p, n);
        str_add(&f->facts, "\n");
        p += n + (p[n] == '\n');
    }
}

void runfile_begin(struct runfile *f) { str_clear(&f->run); }

void runfile_run(struct runfile *f, const char *name, const char *fmt, ...)
{
    STR_FORMATTED(s, fmt);
    str_addf(&f->run, "%s %s: ", f->run.size ? "   " : "  -", name);
    add_value(&f->run, fmt, s.text ? s.text : "");
}

bool runfile_write(const struct runfile *f, struct diags *d)
{
    LOCAL(str_release) struct str s = {0};
    str_addf(&s, "%s that wrote it. Kept by gpuexp.\n", beside_table[BESIDE_RUN].begins);
    if (f->facts.size) str_add(&s, f->facts.text);
    str_add(&s, "runs:\n");
    if (f->before.size) str_add(&s, f->before.text);
    if (f->run.size) str_add(&s, f->run.text);
    return f->lock ? swap_text(f->lock, f->path, s.text, s.size, NULL, d) : file_write(f->path, s.text, s.size, d);
}

char *runfile_load(const char *report_path, struct diags *d)
{
    LOCAL(mem_drop) char *path = beside_real(report_path);
    LOCAL(diags_clear) struct diags why = {0};
    char *text = file_exists(path) ? file_read(path, (size_t)1 << 30, NULL, &why) : NULL;
    if (diags_errors(&why)) diag_system(d, "run it again", "%s: %s", path, diags_first(&why));
    return text;
}

bool runfile_fits(const char *report_path, struct diags *d)
{
    LOCAL(mem_drop) char *path = beside_real(report_path);
    bool there;
    return kept_look(path, &there, d) && file_is_form(path, beside_table[BESIDE_RUN].begins, d);
}

char *runfile_read(const char *report_path)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    return runfile_load(report_path, &ignored);
}

// The list of runs: after the last line that begins it (the experiment's text is indented, so it cannot say it).
static const char *runs_of(const char *text)
{
    const char *p = strstr(text, "\nruns:\n");
    return p ? p + strlen("\nruns:\n") : text + strlen(text);
}

void runfile_facts_of(struct runfile *f, const char *text, const char *const *but)
{
    const char *end = runs_of(text);
    for (size_t n; text < end && strncmp(text, "runs:\n", 6) != 0; text += n) {
        bool left_out = *text == '#';
        n = strcspn(text, "\n");
        n += text[n] == '\n';
        for (const char *const *b = but; *b; b++)
            left_out = left_out || (strncmp(text, *b, strlen(*b)) == 0 && text[strlen(*b)] == ':');
        if (!left_out) str_add_bytes(&f->facts, text, n);
    }
}

static const char *next_run(const char *p)
{
    const char *next = p;
    do next = strchr(next, '\n'), next = next ? next + 1 : p + strlen(p);
    while (*next && strncmp(next, "  - ", 4) != 0);
    return next;
}

size_t runfile_runs(const char *text)
{
    size_t n = 0;
    for (const char *p = runs_of(text); *p; p = next_run(p)) n++;
    return n;
}

// A number stands there as it is; reports from before that have it in quotes too.
static char *unquote(const char *p)
{
    struct str s = {0};
    if (*p == '-' || (*p >= '0' && *p <= '9')) str_add_bytes(&s, p, strcspn(p, "\n"));
    if (*p == '"')
        for (p++; *p && *p != '"' && *p != '\n'; p++) {
            char c = *p;
            if (c == '\\' && p[1]) {
                c = *++p;
                if (c == 'n') c = '\n';
                if (c == 'x' && p[1] && p[2]) c = (char)strtol((char[]){p[1], p[2], 0}, NULL, 16), p += 2;
            }
            str_add_bytes(&s, &c, 1);
        }
    return str_take(&s);
}

// The value behind a name that stands so far in, between `p` and `end`.
static char *entry_get(const char *p, const char *end, const char *name, size_t indent)
{
    const size_t n = strlen(name);
    for (; p < end && *p; p += strcspn(p, "\n"), p += *p == '\n')
        if (strcspn(p, "\n") > indent + n + 1 && strspn(p, " -") == indent && strncmp(p + indent, name, n) == 0 &&
            p[indent + n] == ':')
            return unquote(p + indent + n + 2);
    return NULL;
}

char *runfile_get(const char *text, const char *name, int run)
{
    const char *p = text, *end = runs_of(text);
    size_t indent = 0;
    if (run) {
        size_t runs = runfile_runs(text), back = (size_t)-run;
        if (run > 0 || back > runs) return NULL;
        for (p = end; back < runs; runs--) p = next_run(p);
        end = next_run(p);
        indent = 4;
    }
    return entry_get(p, end, name, indent);
}

bool runfile_each(const char *text, const char *name, const char **at, char **value)
{
    const char *run = *at ? *at : runs_of(text);
    if (!*run) return false;
    *at = next_run(run);
    *value = entry_get(run, *at, name, 4);
    return true;
}

char *runfile_text(const char *text, const char *name)
{
    const char *end = runs_of(text), *p;
    struct str head = {0}, s = {0};
    str_addf(&head, "\n%s: |2\n", name);
    p = strstr(text, head.text);
    p = p && p < end ? p + head.size : NULL;
    str_release(&head);
    if (!p) return runfile_get(text, name, 0);
    for (size_t n; p < end && (*p == '\n' || strncmp(p, "  ", 2) == 0); p += n) {
        p += *p == '\n' ? 0 : 2;
        n = strcspn(p, "\n") + 1;
        str_add_bytes(&s, p, n);
    }
    return str_take(&s);
}

bool runfile_follow(struct runfile *f, const char *text, const char *const *decides, struct diags *d)
{
    bool same = true;
    for (; *decides && same; decides++) {
        LOCAL(mem_drop) char *then = runfile_get(text, *decides, 0), *now = runfile_get(f->facts.text, *decides, 0);
        if (then && now && strcmp(then, now) != 0)
            same = diag_user(d, (struct where){.file = f->path},
                "start over with --fresh (the old files are kept as .bak), or write another report: -o FILE",
                "the rows that are there were measured with another %s: `%s`, now `%s`", *decides, then, now);
    }
    if (same) str_add(&f->before, runs_of(text));
    return same;
}

bool runfile_differs(const char *text, const char *other, const char *name)
{
    LOCAL(mem_drop) char *x = runfile_get(text, name, 0), *y = runfile_get(other, name, 0);
    return x && y && strcmp(x, y) != 0;
}

static bool has_option(const char *text, const char *option)
{
    char name[32], *value = NULL;
    bool has = false;
    for (int i = 0; text && !has; i++, free(value)) {
        snprintf(name, sizeof name, "override_%d", i);
        if (!(value = runfile_get(text, name, 0))) break;
        has = strcmp(value, option) == 0;
    }
    return has;
}

char *runfile_options(const char *text, const char *other)
{
    struct str s = {0};
    char name[32], *value;
    str_add(&s, "");
    for (int i = 0;; i++, free(value)) {
        snprintf(name, sizeof name, "override_%d", i);
        if (!(value = text ? runfile_get(text, name, 0) : NULL)) break;
        if (strncmp(value, "device=", 7) != 0 && !has_option(other, value))
            str_addf(&s, "%s%s", s.size ? ", " : "", value);
    }
    return str_take(&s);
}

static double moment(const char *entry, const char *end, const char *name)
{
    struct tm tm = {0};
    LOCAL(mem_drop) char *value = entry_get(entry, end, name, 4);
    const char *rest = value ? strptime(value, "%Y-%m-%dT%H:%M:%SZ", &tm) : NULL;
    return rest ? (double)timegm(&tm) : NAN;
}

void runfile_span(const char *text, double *first, double *last)
{
    *first = INFINITY, *last = -INFINITY;
    for (const char *p = runs_of(text), *end; *p; p = end) {
        end = next_run(p);
        const double began = moment(p, end, "started"), ended = moment(p, end, "finished");
        LOCAL(mem_drop) char *how = entry_get(p, end, "end", 4), *count = entry_get(p, end, "measured", 4);
        const bool merged = how && strcmp(how, "merged") == 0, nothing = count && strcmp(count, "0") == 0;
        if (merged && isfinite(began)) *last = began; // whatever there was came before
        if (merged || nothing) continue;
        if (*last == INFINITY && isfinite(began)) *last = began; // one that was killed was over before the next
        *first = isfinite(began) ? fmin(*first, began) : -INFINITY;
        *last = isfinite(ended) ? fmax(*last, ended) : INFINITY;
    }
    if (*first == INFINITY) *first = -INFINITY, *last = INFINITY;
}

void runfile_take_runs(const char *text, struct str *to, struct lookup *seen)
{
    for (const char *p = runs_of(text), *end; *p; p = end) {
        const char *behind = p; // when, where and which process: the first three lines
        size_t at = 0;
        end = next_run(p);
        for (int i = 0; i < 3 && behind < end; i++) behind += strcspn(behind, "\n"), behind += *behind == '\n';
        const size_t size = (size_t)(behind - p);
        const uint64_t mark = hash_short(p, size);
        size_t was = lookup_next(seen, mark, &at);
        while (was != LOOKUP_NONE && (to->size - was < size || memcmp(to->text + was, p, size) != 0))
            was = lookup_next(seen, mark, &at);
        if (was != LOOKUP_NONE) continue;
        lookup_add(seen, mark, to->size);
        str_add_bytes(to, p, (size_t)(end - p));
    }
}
