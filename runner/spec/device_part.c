// From what is marked for the device it follows the names, through macros too. A name is taken for reached wherever it
// is read, so that too much stays rather than too little.
// SPDX-License-Identifier: MIT
#include "spec/device_part.h"

#include "base/arena.h"
#include "base/lookup.h"
#include "base/str.h"
#include "spec/host_code.h"
#include "spec/fragments.h"
#include "spec/skip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reached {
    const char *text;
    struct fragments all;
    struct lookup macros; // of `all`
    struct span *words;
    size_t count, room;
    struct lookup known; // of `words`
};

static uint64_t hash_of(struct span s)
{
    uint64_t h = 14695981039346656037ULL;
    for (const char *p = s.from; p < s.end; p++) h = (h ^ (unsigned char)*p) * 1099511628211ULL;
    return h;
}

static bool same(struct span a, struct span b)
{
    return a.end - a.from == b.end - b.from && memcmp(a.from, b.from, (size_t)(a.end - a.from)) == 0;
}

static bool is_known(const struct reached *r, struct span s)
{
    const uint64_t hash = hash_of(s);
    for (size_t at = 0, n; (n = lookup_next(&r->known, hash, &at)) != LOOKUP_NONE;)
        if (same(r->words[n], s)) return true;
    return false;
}

static void reach(struct reached *r, struct span text)
{
    struct span s;
    for (const char *p = text.from; span_next(&p, text.end, r->text, &s);) {
        if (!span_is_name(s) || is_known(r, s)) continue;
        mem_grow(&r->words, &r->room, r->count + 1, sizeof *r->words);
        lookup_add(&r->known, hash_of(s), r->count);
        r->words[r->count++] = s;
    }
}

// Marked for the device, or by a macro that says so.
static bool is_marked(const struct reached *r, struct span head, int depth)
{
    static const char *const marks[] = {
        "__global__", "__device__", "__constant__", "__shared__", "__managed__", "static_assert", NULL};
    struct span s;
    for (const char *p = head.from; span_next(&p, head.end, r->text, &s);) {
        if (span_among(s, marks)) return true;
        const uint64_t hash = hash_of(s);
        for (size_t at = 0, n; depth < 4 && (n = lookup_next(&r->macros, hash, &at)) != LOOKUP_NONE;)
            if (same(r->all.items[n].names[0], s) && is_marked(r, r->all.items[n].is, depth + 1)) return true;
    }
    return false;
}

static bool is_wanted(const struct reached *r, const struct fragment *piece)
{
    if (piece->hosted || (piece->within.from && !is_known(r, piece->within))) return false;
    bool known = piece->name_count == 0;
    for (size_t n = 0; n < piece->name_count && !known; n++) known = is_known(r, piece->names[n]);
    return known;
}

// Does it name a function that only a host can run? One of that name for all to call may be meant instead.
static bool names_hosted(const struct reached *r, const struct lookup *functions, struct span body)
{
    struct span s;
    for (const char *p = body.from; span_next(&p, body.end, r->text, &s);) {
        bool hosted = false, other = false;
        const uint64_t hash = hash_of(s);
        for (size_t at = 0, n; (n = lookup_next(functions, hash, &at)) != LOOKUP_NONE;)
            if (same(r->all.items[n].names[0], s)) *(r->all.items[n].hosted ? &hosted : &other) = true;
        if (hosted && !other) return true;
    }
    return false;
}

static bool says_host(const struct reached *r, struct span head)
{
    struct span s;
    for (const char *p = head.from; span_next(&p, head.end, r->text, &s);)
        if (span_is(s, "__host__")) return true;
    return false;
}

// What launches kernels, calls the runtime or says so itself, and what calls such: no device runs it.
static void find_hosted(struct reached *r)
{
    struct fragment *const items = r->all.items;
    struct lookup functions = {0};
    for (size_t i = 0; i < r->all.count; i++) {
        if (!items[i].function || items[i].head.end == items[i].is.end) continue; // a declaration tells nothing
        items[i].hosted =
            !items[i].kept && (says_host(r, items[i].head) || host_code_runs(items[i].head.end, items[i].is.end));
        if (items[i].name_count) lookup_add(&functions, hash_of(items[i].names[0]), i);
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < r->all.count; i++) {
            const struct span body = {items[i].head.end, items[i].is.end};
            if (!items[i].function || items[i].kept || items[i].hosted || !names_hosted(r, &functions, body)) continue;
            items[i].hosted = more = true;
        }
    }
    for (size_t i = 0; i < r->all.count; i++) // what asks for an instance of one, or announces it
        if (items[i].function && !items[i].kept && items[i].head.end == items[i].is.end && items[i].name_count)
            items[i].hosted = names_hosted(r, &functions, items[i].names[0]);
    lookup_release(&functions);
}

static void follow(struct reached *r)
{
    struct fragment *const items = r->all.items;
    for (size_t i = 0; i < r->all.count && items[i].macro; i++)
        if (items[i].name_count) lookup_add(&r->macros, hash_of(items[i].names[0]), i);
    for (size_t i = 0; i < r->all.count; i++) {
        if (items[i].macro) continue;
        items[i].kept = items[i].opens || is_marked(r, items[i].head, 0);
        if (items[i].kept) reach(r, items[i].is);
    }
    find_hosted(r);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < r->all.count; i++) {
            if (items[i].kept || !is_wanted(r, &items[i])) continue;
            items[i].kept = more = true;
            reach(r, items[i].is);
        }
    }
}

// What a host has and no device; a name that ends with a slash stands for all of its folder.
static const char host_headers[] =
    " strings.h fcntl.h errno.h cerrno getopt.h dirent.h signal.h csignal pthread.h setjmp.h locale.h wchar.h stdarg.h "
    "cstdarg stdbool.h libgen.h err.h error.h values.h semaphore.h sched.h poll.h ctype.h cctype inttypes.h cinttypes "
    "fenv.h dlfcn.h random stdexcept exception memory map set list array deque queue stack bitset tuple unordered_map "
    "unordered_set ostream istream iosfwd ios streambuf numeric iterator new thread mutex atomic condition_variable "
    "future regex typeinfo optional variant any string_view filesystem initializer_list execution valarray ratio "
    "locale cwchar system_error complex span omp.h mpi.h windows.h cublas.h cublas_v2.h cublasXt.h cublasLt.h "
    "cusparse.h cusparse_v2.h cusolverDn.h cusolverSp.h cufft.h cufftXt.h curand.h cudnn.h nccl.h nvToolsExt.h "
    "nvToolsExtCuda.h nvToolsExtCudaRt.h glob.h "
    "cuda_profiler_api.h cudaProfiler.h cuda_gl_interop.h cuda_egl_interop.h nvrtc.h nvml.h npp.h "
    "sys/ nvtx3/ GL/ GLES2/ GLES3/ EGL/ X11/ GLFW/ arpa/ netinet/ thrust/ cub/device/ cudaEGL.h ";

static bool is_of_host(const char *name, size_t n)
{
    char text[128];
    const char *const slash = memchr(name, '/', n);
    if (n + 3 > sizeof text) return false;
    snprintf(text, sizeof text, " %.*s ", (int)n, name);
    if (strstr(host_headers, text)) return true;
    if (!slash) return false;
    snprintf(text, sizeof text, " %.*s ", (int)(slash + 1 - name), name);
    return strstr(host_headers, text) != NULL;
}

// The name in `#include <name>` at `line`; NULL: it is none.
static const char *included(const char *line)
{
    const char *p = skip_blank(line);
    if (*p != '#') return NULL;
    p = skip_blank(p + 1);
    if (strncmp(p, "include", 7) != 0) return NULL;
    p = skip_blank(p + 7);
    return *p == '<' || *p == '"' ? p + 1 : NULL;
}

// True: one was left out.
static bool leave_includes(char *text, bool *numbers)
{
    bool left = false;
    for (char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *const name = included(line);
        if (!name || !is_of_host(name, strcspn(name, ">\"\n"))) continue;
        *numbers |= strncmp(name, "cublas", 6) == 0;
        memset(line, ' ', strcspn(line, "\n"));
        left = true;
    }
    return left;
}

// Blanks in the place of the mark of a function that is the host's alone; true: there is one.
static bool leave_mark(char *text, struct span head, const char *from)
{
    const char *p = head.from;
    struct span s, mark = {0};
    while (span_next(&p, head.end, from, &s)) {
        if (span_is(s, "__device__")) return false;
        if (span_is(s, "__host__")) mark = s;
    }
    if (mark.from) host_code_blank(text, (size_t)(mark.from - from), (size_t)(mark.end - from));
    return mark.from != NULL;
}

// The functions inside a type that only a host can run: they stay, with nothing in them. From `from` to `end` is what
// its brackets hold.
static bool leave_bodies(char *text, size_t from, size_t end)
{
    struct str inside = {0};
    struct fragments own = {0};
    bool left = false;
    str_add_bytes(&inside, text + from, end - from);
    fragments_read(&own, inside.text);
    for (size_t i = 0; i < own.count; i++) {
        const struct span is = own.items[i].is, head = own.items[i].head;
        if (!own.items[i].function) continue;
        const bool marked = leave_mark(text + from, head, inside.text);
        left |= marked;
        if (head.end >= is.end || (!marked && !host_code_runs(head.end, is.end))) continue;
        host_code_blank(text, from + (size_t)(head.end + 1 - inside.text), from + (size_t)(is.end - 1 - inside.text));
        left = true;
    }
    fragments_release(&own);
    str_release(&inside);
    return left;
}

char *device_part(const char *text)
{
    struct reached r = {.text = text};
    struct str s = {0};
    bool numbers = false; // the narrow ones, that CUDA's libraries bring with them
    str_add(&s, text);
    bool left = leave_includes(s.text, &numbers);
    fragments_read(&r.all, text);
    follow(&r);
    for (size_t i = 0; i < r.all.count; i++) {
        const struct fragment *piece = &r.all.items[i];
        const size_t inside = (size_t)(piece->head.end - text) + 1, end = (size_t)(piece->is.end - text);
        if (piece->kept && piece->type && inside < end) left |= leave_bodies(s.text, inside, end);
        if (piece->macro || piece->kept) continue;
        host_code_blank(s.text, (size_t)(piece->is.from - text), (size_t)(piece->is.end - text));
        left = true;
    }
    fragments_release(&r.all);
    free(r.words);
    lookup_release(&r.macros);
    lookup_release(&r.known);
    if (numbers) { // behind the options, in front of what is the user's
        const size_t first = strncmp(s.text, "//", 2) == 0 ? strcspn(s.text, "\n") + 1 : 0;
        struct str more = {0};
        str_add_bytes(&more, s.text, first);
        str_add(&more, "#ifndef __clang__\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#endif\n");
        str_add(&more, s.text + first);
        str_release(&s);
        s = more;
    }
    if (left) return str_take(&s);
    str_release(&s);
    return NULL;
}
