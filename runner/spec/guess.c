// A description for a kernel that has none.
// SPDX-License-Identifier: MIT
#include "spec/guess.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "spec/kernel.h"
#include "spec/source.h"

// What a kernel without a description may be given: pointers are buffers, whole numbers are counts. It is a guess, and
// whoever uses it says so.

enum { ONE = 1 << 20, SIDE = 1 << 10 }; // a count by itself, and a side of what has two and more

static bool is_pointer(const struct argument *a) { return strchr(a->type, '*') != NULL; }

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
        const char *type = kernel_type_pointee(x->type, a);
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

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

// The next place of a whole word; NULL: there is none. `body` is where the text begins.
static const char *word_at(const char *p, const char *word, const char *body)
{
    const size_t n = strlen(word);
    for (; n && (p = strstr(p, word)); p += n)
        if ((p == body || (!in_word(p[-1]) && p[-1] != '.')) && !in_word(p[n])) return p;
    return NULL;
}

// The word that ends at `end`, blanks left out.
static const char *word_before(const char *end, const char *body, struct arena *a)
{
    while (end > body && isspace((unsigned char)end[-1])) end--;
    const char *from = end;
    while (from > body && (in_word(from[-1]) || from[-1] == '.')) from--;
    return arena_strndup(a, from, (size_t)(end - from));
}

// The body with `int bx = blockIdx.x;` undone: what has a short name there has the long one everywhere.
static const char *long_names(const char *body, struct arena *a)
{
    static const char *const all[] = {
        "blockIdx.x", "blockIdx.y", "threadIdx.x", "threadIdx.y", "blockDim.x", "blockDim.y"};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const char *is = body, *from = body, *at, *name = NULL;
        while (!name && (is = word_at(is, all[k], body))) {
            const char *sign = is, *before;
            while (sign > body && isspace((unsigned char)sign[-1])) sign--;
            for (before = sign; before > body && !strchr(";{}(", before[-1]);) before--;
            is += strlen(all[k]);
            const bool counts_on = before > body && before[-1] == '('; // in a `for`: it is another number soon
            if (sign > body && sign[-1] == '=' && !counts_on && strchr(";,", *skip(is, " ")))
                name = word_before(sign - 1, body, a);
        }
        if (!name || !*name) continue;
        LOCAL(str_release) struct str s = {0};
        for (; (at = word_at(from, name, body)); from = at + strlen(name))
            str_addf(&s, "%.*s%s", (int)(at - from), from, all[k]);
        str_add(&s, from);
        body = arena_strdup(a, s.text);
    }
    return body;
}

// 16 of a text with `#define TILE 16` or `constexpr int TILE = 16;`, and of "16" itself. 0: it is no such number.
static long number_of(const char *word, const char *text)
{
    const char *at = text;
    long n = strtol(word, NULL, 10);
    for (; n <= 0 && (at = word_at(at, word, text)); at += strlen(word))
        n = strtol(skip(at + strlen(word), " =("), NULL, 10);
    return n > 0 && n <= 1024 ? n : 0;
}

// What a body says of one direction of its threads. Of `int r = blockIdx.x * 16 + threadIdx.x; if (r >= rows) return;`
// the count that the number is held against, "rows", and the threads of a block, 16. NULL and 0: it does not, or not
// that plainly.
struct along {
    const char *guard;
    long block;
};

static struct along along(char direction, const char *body, const char *text, const char *const counts[3],
    struct arena *a)
{
    struct along is = {0};
    const char *block = arena_printf(a, "blockIdx.%c", direction), *thread = arena_printf(a, "threadIdx.%c", direction);
    const char *sign = body, *of_block = NULL, *end = body;
    for (; (sign = strchr(sign, '=')); sign = end) { // the statement that makes the number
        end = sign + 1 + strcspn(sign + 1, ";,=");
        const char *of_thread = strstr(sign, thread);
        of_block = strstr(sign, block);
        if (of_block && of_thread && of_block < end && of_thread < end) break;
    }
    if (!sign) return is;
    const char *behind = skip(of_block + strlen(block), " )"), *before = of_block, *number = word_before(sign, body, a);
    while (before > sign && strchr(" (", before[-1])) before--;
    if (*behind == '*') {
        behind = skip(behind + 1, " (");
        is.block = number_of(arena_strndup(a, behind, strcspn(behind, " );+*,")), text);
    } else if (before[-1] == '*') is.block = number_of(word_before(before - 1, body, a), text);
    for (const char *p = sign; (p = word_at(p, number, body)); p += strlen(number)) {
        const char *than = skip(p + strlen(number), " ");
        if (*than != '<' && strncmp(than, ">=", 2) != 0) continue;
        const char *bound = skip(than + 1, "= ");
        for (int k = 0; k < 3 && counts[k] && !is.guard; k++) {
            const size_t n = strlen(counts[k]);
            if (strncmp(bound, counts[k], n) == 0 && strchr(");&|", *skip(bound + n, " "))) is.guard = counts[k];
        }
        break;
    }
    return is;
}

static void describe(struct str *s, const char *text, const struct source_function *f, struct arena *a)
{
    const char *counts[3] = {0};
    size_t count = 0;
    bool real, rows = has_rows(text, f, a);
    str_addf(s, "about: Guessed from its arguments.\nentry: '%s%s'\nparams:\n", f->is.scope, f->is.name);
    for (size_t i = 0; i < f->is.count; i++) {
        const struct argument *x = &f->is.arguments[i];
        if (is_pointer(x) || !is_number(kernel_type_pointee(x->type, a), &real) || real) continue;
        if (count < 3) counts[count] = x->name;
        count++;
    }
    const int each = count > 1 || rows ? SIDE : ONE;
    for (size_t i = 0; i < f->is.count; i++) {
        const struct argument *x = &f->is.arguments[i];
        if (!is_pointer(x) && is_number(kernel_type_pointee(x->type, a), &real))
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
        const char *type = kernel_type_pointee(x->type, a);
        int lanes = 1;
        const char *scalar = kernel_type_scalar(type, &lanes);
        const bool reads = strstr(x->type, "const") != NULL, index = scalar && strstr(scalar, "int") && lanes == 1;
        str_addf(s, "  %s: {type: %s, count: %s, access: %s, fill: %s}\n", x->name, type, all.text,
            reads ? "read" : "both", index ? "index" : "random");
    }
    const char *body = long_names(arena_strndup(a, text + f->from, f->end - f->from), a);
    const struct along x = along('x', body, text, counts, a), y = along('y', body, text, counts, a);
    const char *first = counts[0] ? counts[0] : "1024", *second = count > 1 ? counts[1] : first;
    if (rows)
        str_addf(s, "threads: [%s, %s]\nblock: [%ld, %ld]\n", x.guard ? x.guard : second, y.guard ? y.guard : first,
            x.block ? x.block : 32, y.block ? y.block : 8);
    else str_addf(s, "threads: %s\nblock: %ld\n", x.guard ? x.guard : all.text, x.block ? x.block : 256);
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
