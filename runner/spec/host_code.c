// Finds the functions of a source that only a host can run: `main`, those that are `__host__` and not `__device__`, and
// those without a mark that launch a kernel or call the CUDA runtime. Others without a mark stay: a `check` may call
// them.
// SPDX-License-Identifier: MIT
#include "spec/host_code.h"

#include "spec/skip.h"
#include "spec/source.h"

#include <ctype.h>
#include <string.h>

// A call such as cudaMalloc(. Two of that form are the device's own.
static bool calls_runtime(const char *from, const char *behind)
{
    static const char *const own[] = {"cudaGridDependencySynchronize", "cudaTriggerProgrammaticLaunchCompletion"};
    const size_t n = (size_t)(behind - from);
    if (n < 5 || memcmp(from, own[0], 4) != 0 || !isupper((unsigned char)from[4])) return false; // begins like those
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strlen(own[i]) == n && memcmp(from, own[i], n) == 0) return false;
    return *skip_blank(behind) == '(';
}

bool host_code_runs(const char *p, const char *end)
{
    while (*(p = skip_unread(p)) && p < end) {
        const char *from = p;
        if (strncmp(p, "<<<", 3) == 0) return true;
        p = skip_is_word(*p) ? skip_word(p) : p + 1;
        if (calls_runtime(from, p)) return true;
    }
    return false;
}

static bool is_of_host(const char *text, const struct source_function *f)
{
    if (f->global || f->device || f->is_template) return false;
    return f->host || strcmp(f->is.name, "main") == 0 || host_code_runs(text + f->from, text + f->end);
}

void host_code_blank(char *text, size_t from, size_t end)
{
    const char *p = text + from, *const behind = text + end;
    for (bool line_start = true; p < behind;) {
        const char *const at = p;
        const bool directive = *p == '#' && line_start;
        line_start = *p == '\n' || (line_start && isspace((unsigned char)*p));
        p = skip_unread(p);
        if (p == at) p = directive ? skip_directive(p) : skip_is_word(*p) ? skip_word(p) : p + 1;
        if (directive) continue;
        for (char *c = text + (at - text); c < p && c < behind; c++)
            if (*c != '\n') *c = ' ';
    }
}

char *host_code_left_out(const char *text)
{
    struct arena *a = arena_new();
    struct str s = {0};
    size_t count;
    str_add(&s, text);
    const struct source_function *all = source_functions(text, a, &count);
    for (size_t i = 0; i < count; i++)
        if (is_of_host(text, &all[i])) host_code_blank(s.text, all[i].from, all[i].end);
    arena_free(a);
    return str_take(&s);
}
