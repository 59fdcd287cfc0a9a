// What a kernel without a description may be given: pointers are buffers, whole numbers are counts. It is a guess, and
// whoever uses it says so.
// SPDX-License-Identifier: MIT
#include "spec/guess.h"

#include "spec/source.h"

#include <ctype.h>
#include <string.h>

enum { ONE = 1 << 20, SIDE = 1 << 10 }; // a count by itself, and a side of what has two and more

static bool is_pointer(const struct argument *a) { return strchr(a->type, '*') != NULL; }

// "float" of "const float *".
static const char *element(const char *type, struct arena *a)
{
    const char *from = type;
    for (const char *skip = "const"; strncmp(from, skip, 5) == 0 || isspace((unsigned char)*from);)
        from += strncmp(from, skip, 5) == 0 ? 5 : 1;
    size_t n = strcspn(from, "*");
    while (n && isspace((unsigned char)from[n - 1])) n--;
    char *name = arena_strndup(a, from, n);
    char *behind = strstr(name, " const");
    if (behind) *behind = '\0';
    return name;
}

static bool is_number(const char *type, bool *real)
{
    int lanes;
    const char *scalar = kernel_type_scalar(type, &lanes);
    *real = scalar && (strcmp(scalar, "float") == 0 || strcmp(scalar, "double") == 0);
    return scalar && lanes == 1 && (*real || !strstr(scalar, "half")) && !strstr(scalar, "bfloat");
}

// Why it cannot be guessed what the kernel is given; NULL: it can.
static const char *unknown(const struct source_function *f, struct arena *a)
{
    bool real;
    size_t pointers = 0;
    if (f->is_template) return arena_printf(a, "`%s` is a template", f->is.name);
    for (size_t i = 0; i < f->is.count; i++) {
        const struct argument *x = &f->is.arguments[i];
        const char *type = element(x->type, a);
        pointers += is_pointer(x);
        if (is_pointer(x) ? !kernel_type_size(type) || strchr(strchr(x->type, '*') + 1, '*') : !is_number(type, &real))
            return arena_printf(a, "`%s` is a %s, neither a count nor a pointer to numbers", x->name, x->type);
    }
    return pointers ? NULL : arena_printf(a, "`%s` takes no pointer", f->is.name);
}

// Does the body use the second direction of a grid?
static bool has_rows(const char *text, const struct source_function *f, struct arena *a)
{
    const char *body = arena_strndup(a, text + f->from, f->end - f->from);
    return strstr(body, "threadIdx.y") || strstr(body, "blockIdx.y");
}

static const char *skip(const char *p, const char *what)
{
    while (*p && strchr(what, *p)) p++;
    return p;
}

// The count that the number of a thread is held against: "rows" of `int r = blockIdx.x * blockDim.x + threadIdx.x;` and
// `if (r >= rows) return;`. NULL: there is none, or the text is not that plain.
static const char *guard_of(const char *body, const char *const counts[3], struct arena *a)
{
    static const char *const parts[] = {"blockIdx.x", "blockDim.x", "threadIdx.x"};
    const char *is = body, *end, *name;
    for (;; is++) { // the statement that makes the number
        is = strchr(is, '=');
        end = is ? strchr(is, ';') : NULL;
        if (!end) return NULL;
        bool all = is[1] != '=';
        for (int k = 0; k < 3; k++) {
            const char *part = strstr(is, parts[k]);
            all &= part && part < end;
        }
        if (all) break;
    }
    for (end = is; end > body && isspace((unsigned char)end[-1]);) end--;
    for (name = end; name > body && (isalnum((unsigned char)name[-1]) || name[-1] == '_');) name--;
    const char *number = arena_strndup(a, name, (size_t)(end - name));
    const size_t length = strlen(number);
    for (const char *p = is; length && (p = strstr(p, number)); p += length) {
        const char *sign = skip(p + length, " ");
        if (isalnum((unsigned char)p[-1]) || p[-1] == '_' || (*sign != '<' && strncmp(sign, ">=", 2) != 0)) continue;
        const char *bound = skip(sign + 1, "= ");
        for (int k = 0; k < 3 && counts[k]; k++) {
            const size_t n = strlen(counts[k]);
            if (strncmp(bound, counts[k], n) == 0 && strchr(");&|", *skip(bound + n, " "))) return counts[k];
        }
        return NULL;
    }
    return NULL;
}

static void describe(struct str *s, const char *text, const struct source_function *f, struct arena *a)
{
    const char *counts[3] = {0};
    size_t count = 0;
    bool real, rows = has_rows(text, f, a);
    str_addf(s, "about: Guessed from its arguments.\nentry: '%s%s'\nparams:\n", f->is.scope, f->is.name);
    for (size_t i = 0; i < f->is.count; i++) {
        const struct argument *x = &f->is.arguments[i];
        if (is_pointer(x) || !is_number(element(x->type, a), &real) || real) continue;
        if (count < 3) counts[count] = x->name;
        count++;
    }
    const int each = count > 1 || rows ? SIDE : ONE;
    for (size_t i = 0; i < f->is.count; i++) {
        const struct argument *x = &f->is.arguments[i];
        if (!is_pointer(x) && is_number(element(x->type, a), &real))
            str_addf(s, "  %s: {default: %d}\n", x->name, real ? 1 : each);
    }
    if (!count) str_addf(s, "  threads_all: {kind: constant, default: %d}\n", ONE);
    LOCAL(str_release) struct str all = {0};
    if (!count) str_add(&all, "threads_all");
    else if (count == 1) str_addf(&all, rows ? "%s * %s" : "%s", counts[0], counts[0]);
    else if (count == 2) str_addf(&all, "%s * %s", counts[0], counts[1]);
    else str_addf(&all, "%s * %s + %s * %s", counts[0], counts[1], counts[count > 2 ? 2 : 0], counts[1]);
    str_add(s, "buffers:\n");
    for (size_t i = 0; i < f->is.count; i++) {
        const struct argument *x = &f->is.arguments[i];
        if (!is_pointer(x)) continue;
        const char *type = element(x->type, a);
        int lanes = 1;
        const char *scalar = kernel_type_scalar(type, &lanes);
        const bool reads = strstr(x->type, "const") != NULL, index = scalar && strstr(scalar, "int") && lanes == 1;
        str_addf(s, "  %s: {type: %s, count: %s, access: %s, fill: %s}\n", x->name, type, all.text,
            reads ? "read" : "both", index ? "index" : "random");
    }
    if (rows)
        str_addf(s, "threads: [%s, %s]\nblock: [32, 8]\n", counts[0] ? counts[count > 1 ? 1 : 0] : "1024",
            counts[0] ? counts[0] : "1024");
    else {
        const char *guard = guard_of(arena_strndup(a, text + f->from, f->end - f->from), counts, a);
        str_addf(s, "threads: %s\nblock: 256\n", guard ? guard : all.text);
    }
    if (source_has_word(text, "extern") && strstr(text, "extern __shared__")) str_add(s, "shared: 16384\n");
}

const char *guess_description(const char *text, const char **why, struct arena *a)
{
    size_t count;
    const struct source_function *all = source_functions(text, a, &count), *found = NULL;
    *why = "it has no kernel (`__global__`)";
    for (size_t i = count; i-- > 0;) {
        const char *one = all[i].global ? unknown(&all[i], a) : *why;
        if (!one) found = &all[i];
        else if (all[i].global) *why = one;
    }
    if (!found) return NULL;
    LOCAL(str_release) struct str s = {0};
    describe(&s, text, found, a);
    return arena_strdup(a, s.text);
}
