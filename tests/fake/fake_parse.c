// Reads the fake device's file: each statement is one row of a table.
// SPDX-License-Identifier: MIT
#include "fake/fake.h"

#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const fake_call_names[] = {
#define X(name) #name,
    FAKE_CALLS(X)
#undef X
        "any",
    NULL};

// What follows a verb: c a call, n a number, o a number that may be left out, k a column, t the rest of the line
// (needed).
static const struct {
    const char *word, *takes;
} verbs[] = {
    [FAKE_NAME] = {"name", "t"},
    [FAKE_IDENTITY] = {"identity", "t"},
    [FAKE_ARCH] = {"arch", "t"},
    [FAKE_UNTIMED] = {"untimed", ""},
    [FAKE_PEAK] = {"peak", "n"},
    [FAKE_MEMORY] = {"memory", "n"},
    [FAKE_TIME] = {"time", "n"},
    [FAKE_COLD] = {"cold", "n"},
    [FAKE_DRIFT] = {"drift", "n"},
    [FAKE_NOISE] = {"noise", "no"},
    [FAKE_TRANSIENT] = {"transient", "nn"},
    [FAKE_DRAWS] = {"draws", "no"},
    [FAKE_PLACES] = {"places", "no"},
    [FAKE_OVERHEAD] = {"overhead", "n"},
    [FAKE_TICK] = {"tick", "n"},
    [FAKE_CLOCK] = {"clock", "n"},
    [FAKE_THROTTLE] = {"throttle", "nn"},
    [FAKE_LIES] = {"lies", "nnn"},
    [FAKE_COOLS] = {"cools", "n"},
    [FAKE_RESTORES] = {"restores", "n"},
    [FAKE_FACT] = {"fact", "kn"},
    [FAKE_COUNT] = {"count", "ko"},
    [FAKE_TELLS] = {"tells", "t"},
    [FAKE_REPORT] = {"report", "nno"},
    [FAKE_CHANGES] = {"changes", "nn"},
    [FAKE_WRONG] = {"wrong", "nnn"},
    [FAKE_LATER] = {"later", "nnn"},
    [FAKE_CHECKS] = {"checks", "n"},
    [FAKE_UNVARIED] = {"unvaried", ""},
    [FAKE_UNCHECKED] = {"unchecked", ""},
    [FAKE_TAKES] = {"takes", "nn"},
    [FAKE_UNFIT] = {"unfit", "t"},
    [FAKE_SKIP] = {"skip", "t"},
    [FAKE_WARN] = {"warn", "t"},
    [FAKE_FAIL] = {"fail", "cnt"},
    [FAKE_HANG] = {"hang", "cn"},
    [FAKE_CRASH] = {"crash", "cn"},
    [FAKE_EXIT] = {"exit", "cnn"},
    [FAKE_WORKS] = {"works", "cnn"},
    [FAKE_INTERRUPTS] = {"interrupts", "cnn"},
    [FAKE_PRINT] = {"print", "cnt"},
    [FAKE_BROKEN] = {"broken", ""},
    [FAKE_STAINS] = {"stains", ""},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

// The next word of the line, which is cut there; NULL at the end.
static char *word(char **rest)
{
    char *start = *rest + strspn(*rest, " \t");
    size_t n = strcspn(start, " \t");
    if (n == 0) return NULL;
    *rest = start + n;
    if (**rest) *(*rest)++ = '\0';
    return start;
}

static bool find_verb(const char *name, enum fake_verb *verb)
{
    for (int i = 0; i < VERBS; i++)
        if (strcmp(verbs[i].word, name) == 0) return *verb = (enum fake_verb)i, true;
    return false;
}

static bool find_call(const char *name, enum fake_call *call)
{
    for (int i = 0; fake_call_names[i]; i++)
        if (strcmp(fake_call_names[i], name) == 0) return *call = (enum fake_call)i, true;
    return false;
}

static bool take(char kind, char **rest, struct fake_line *l)
{
    char *w, *end;
    if (kind == 't') {
        l->text = *rest + strspn(*rest, " \t");
        return *l->text != '\0';
    }
    if (!(w = word(rest))) return kind == 'o';
    if (kind == 'c') return find_call(w, &l->call);
    if (kind == 'k') return (l->column = strcmp(w, "none") == 0 ? -1 : column_find(w)) >= 0 || strcmp(w, "none") == 0;
    double x = strtod(w, &end);
    l->numbers[l->number_count++] = x;
    return end != w && *end == '\0' && isfinite(x);
}

// One line, already free of its comment and of spaces at its end. False: `why` says what is wrong.
static bool parse_line(char *rest, struct fake_line *l, struct str *why)
{
    char *w = word(&rest);
    if (w && strcmp(w, "for") == 0) {
        char *equals;
        w = word(&rest);
        if (!w || !(equals = strchr(w, '='))) return str_add(why, "`for` takes NAME=VALUE"), false;
        *equals = '\0';
        l->name = w;
        l->value = equals + 1;
        w = word(&rest);
    }
    if (!w) return str_add(why, "`for` stands in front of a statement"), false;
    if (!find_verb(w, &l->verb)) return str_add(why, "unknown statement"), false; // not quoted: it may be any file
    for (const char *kind = verbs[l->verb].takes; *kind; kind++) {
        if (take(*kind, &rest, l)) continue;
        const char *what = *kind == 'c' ? "a call" : *kind == 'k' ? "a column" : *kind == 't' ? "a text" : "a number";
        return str_addf(why, "`%s` takes %s here", w, what), false;
    }
    if (!l->text && word(&rest)) return str_addf(why, "there is more on the line than `%s` takes", w), false;
    return true;
}

bool fake_parse(const char *path, const char *text, struct arena *a, struct fake_statements *s, struct diags *d)
{
    size_t before = d->count;
    char *copy = arena_strdup(a, text), *next;
    int number = 0;
    *s = (struct fake_statements){0};
    for (char *line = copy; line; line = next) {
        struct str why = {0};
        next = strchr(line, '\n');
        if (next) *next++ = '\0';
        number++;
        line[strcspn(line, "#\r")] = '\0';
        for (size_t n = strlen(line); n && strchr(" \t", line[n - 1]);) line[--n] = '\0';
        if (line[strspn(line, " \t")] == '\0') continue;
        mem_grow(&s->lines, &s->room, s->count + 1, sizeof *s->lines);
        s->lines[s->count] = (struct fake_line){.call = CALL_any};
        if (parse_line(line, &s->lines[s->count], &why)) s->count++;
        else diag_user(d, ((struct where){.file = path, .line = number, .column = 1}), NULL, "%s", why.text);
        str_release(&why);
    }
    // The list moves into the arena, where the texts are that it points to.
    struct fake_line *lines = arena_copy(a, s->lines, s->count * sizeof *lines);
    free(s->lines);
    s->lines = lines;
    s->room = s->count;
    return d->count == before;
}

// Does the statement hold for this job? Without a job only those that hold always do.
bool fake_holds(const struct fake_line *l, const struct job *job)
{
    struct value v = {0};
    struct str text = {0};
    if (!l->name) return true;
    if (!job) return false;
    for (size_t i = 0; i < job->scalar_count; i++)
        if (strcmp(job->scalars[i].name, l->name) == 0) v = job->scalars[i].value;
    for (size_t i = 0; i < job->constant_count; i++)
        if (strcmp(job->constants[i].name, l->name) == 0) v = job->constants[i].value;
    if (setting_find(l->name) >= 0) v = job->settings[setting_find(l->name)];
    if (strcmp(l->name, "kernel") == 0) v = value_text(job->kernel);
    value_print(v, &text);
    bool same = strcmp(text.text ? text.text : "", l->value) == 0;
    str_release(&text);
    return same;
}

size_t fake_told(const struct fake_statements *s, struct arena *a, struct device_fact *facts, size_t n)
{
    for (const struct fake_line *l = s->lines; l < s->lines + s->count; l++) {
        if (l->verb != FAKE_TELLS) continue;
        const char *what = l->text + strcspn(l->text, " "), *value = what + strspn(what, " ");
        const char *name = arena_strndup(a, l->text, (size_t)(what - l->text));
        char *end;
        const double x = strtod(value, &end);
        size_t at = 0;
        while (at < n && strcmp(facts[at].name, name) != 0) at++;
        facts[at] = (struct device_fact){
            name, "", "as its file says", *end ? value_text(arena_strdup(a, value)) : value_real(x)};
        n += at == n;
    }
    return n;
}
