// Reads base/toolkit.txt and looks at its places. Nothing is opened: whether a file is of use, its user finds out.
// SPDX-License-Identifier: MIT
#include "base/toolkit.h"

#include "base/embed.h"
#include "base/file.h"

#include <dlfcn.h>
#include <glob.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WORDS = 16 };

struct words {
    const char *word[WORDS];
    size_t count;
};
struct list {
    const char **item;
    size_t count, room;
};

static void add(struct list *l, const char *text)
{
    mem_grow(&l->item, &l->room, l->count + 2, sizeof *l->item);
    l->item[l->count++] = text;
    l->item[l->count] = NULL;
}

static const char *const *kept(struct list *l, struct arena *a)
{
    const char *const *all =
        l->count ? arena_copy(a, l->item, (l->count + 1) * sizeof *l->item) : arena_alloc(a, sizeof *l->item);
    free(l->item);
    return all;
}

static struct words split(struct arena *a, const char *line, const char *between)
{
    struct words w = {0};
    char *rest = arena_strdup(a, line);
    for (char *p = strtok_r(rest, between, &rest); p && w.count < WORDS; p = strtok_r(NULL, between, &rest))
        w.word[w.count++] = p;
    return w;
}

// The folders of one kind in a place: "libraries".
static struct words folders(struct arena *a, const char *kind)
{
    const char *text = embed_find("runner/base/toolkit.txt")->text,
               *line = strstr(text, arena_printf(a, "\n%s: ", kind));
    line += strlen(kind) + 3;
    return split(a, arena_strndup(a, line, strcspn(line, "\n")), " ");
}

static int newer_first(const void *a, const void *b) { return strverscmp(*(char *const *)b, *(char *const *)a); }

static void add_matches(struct list *l, const char *pattern, struct arena *a)
{
    glob_t found;
    if (glob(pattern, GLOB_NOSORT, NULL, &found) == 0) {
        qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, newer_first);
        for (size_t i = 0; i < found.gl_pathc; i++) add(l, arena_strdup(a, found.gl_pathv[i]));
    }
    globfree(&found);
}

// The folder of a program among those of PATH, or NULL.
static const char *in_path(const char *program, struct arena *a)
{
    const char *path = getenv("PATH");
    char *rest = arena_strdup(a, path ? path : "");
    for (char *p = strtok_r(rest, ":", &rest); p; p = strtok_r(NULL, ":", &rest)) {
        const char *file = arena_printf(a, "%s/%s", p, program);
        if (*p == '/' && file_exists(file) && access(file, X_OK) == 0) return p;
    }
    return NULL;
}

// A Toolkit whose nvcc is linked from elsewhere is where the link leads.
static void add_of_path(struct list *l, struct arena *a)
{
    char real[PATH_MAX];
    const char *folder = in_path("nvcc", a);
    if (!folder || !realpath(arena_printf(a, "%s/nvcc", folder), real)) return;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(real, '/');
        if (slash) *slash = '\0';
    }
    add(l, arena_strdup(a, real));
}

// The places that there are, in order; "" stands for the loader.
static const char *const *places(struct arena *a)
{
    struct list l = {0};
    for (const char *p = embed_find("runner/base/toolkit.txt")->text, *next; *p; p = next) {
        const size_t n = strcspn(p, "\n");
        next = p + n + (p[n] == '\n');
        const size_t end = *p == '$' ? strcspn(p, "/\n") : 0;
        const char *value = end ? getenv(arena_strndup(a, p + 1, end - 1)) : "";
        if (strncmp(p, "loader\n", 7) == 0) add(&l, "");
        else if (strncmp(p, "PATH\n", 5) == 0) add_of_path(&l, a);
        else if ((*p == '/' || end) && value && (!end || *value == '/'))
            add_matches(&l, arena_printf(a, "%s%.*s", value, (int)(n - end), p + end), a);
    }
    return kept(&l, a);
}

const char *const *toolkit_libraries(const char *name, struct arena *a)
{
    static const char *const ends[] = {".13", ".12", ".11.2", ""}; // NVRTC of 11.8 says 11.2
    const struct words in = folders(a, "libraries");
    struct list l = {0};
    for (const char *const *place = places(a); *place; place++)
        for (size_t f = 0; f < (**place ? in.count : 1); f++)
            for (size_t e = 0; e < sizeof ends / sizeof *ends; e++) {
                const char *file = arena_printf(a, "%s%s%s%slib%s.so%s", *place, **place ? "/" : "",
                    **place ? in.word[f] : "", **place ? "/" : "", name, ends[e]);
                if (!**place || file_exists(file)) add(&l, file);
            }
    return kept(&l, a);
}

bool toolkit_path(void *library, char path[PATH_MAX])
{
    struct link_map *map = NULL;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && realpath(map->l_name, path);
}

bool toolkit_library(const char *name, char path[PATH_MAX])
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    *path = '\0';
    for (const char *const *file = toolkit_libraries(name, a); *file && !*path; file++) {
        // It stays: what such a library allocates when it is loaded it does not give back.
        void *library = dlopen(*file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
        if (!library) continue;
        if (!toolkit_path(library, path)) *path = '\0';
        dlclose(library);
    }
    return *path;
}

bool toolkit_header(const char *library, const char *header, char folder[PATH_MAX])
{
    // From the library's folder: a Toolkit's own form; that of pip, where each part has a folder; Debian's.
    static const char *const from[] = {"../include", "../targets/x86_64-linux/include", "../../include",
        "../../../include", "../../cuda_runtime/include", "../../cuda_cccl/include"};
    static const char *const own[] = {
        "", "/cccl"}; // since 13.0 the C++ library (cub, cuda/std) has a folder of its own
    const char *slash = strrchr(library, '/');
    char file[PATH_MAX];
    for (size_t i = 0; slash && i < 2 * sizeof from / sizeof *from; i++) {
        const int n = snprintf(folder, PATH_MAX, "%.*s/%s%s", (int)(slash - library), library, from[i / 2], own[i % 2]);
        if (n < PATH_MAX && snprintf(file, sizeof file, "%s/%s", folder, header) < PATH_MAX && file_exists(file))
            return realpath(folder, file) && snprintf(folder, PATH_MAX, "%s", file) > 0;
    }
    return *folder = '\0', false;
}

bool toolkit_program(const char *name, char path[PATH_MAX])
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    const struct words in = folders(a, "programs");
    *path = '\0';
    for (const char *const *place = places(a); *place && !*path; place++) {
        const char *path_folder = **place ? NULL : in_path(name, a);
        for (size_t f = 0; f < in.count && !*path; f++) {
            const char *file = path_folder ? arena_printf(a, "%s/%s", path_folder, name)
                                           : arena_printf(a, "%s/%s/%s", *place, in.word[f], name);
            if (file_exists(file) && access(file, X_OK) == 0) snprintf(path, PATH_MAX, "%s", file);
        }
    }
    return *path;
}

// Whatever replaces a file changes one of these.
static void hash_file(const char *path, struct hash *h)
{
    struct stat st;
    hash_text(h, path);
    if (stat(path, &st) != 0) return;
    hash_u64(h, (uint64_t)st.st_ino);
    hash_u64(h, (uint64_t)st.st_size);
    hash_u64(h, (uint64_t)st.st_ctim.tv_sec);
    hash_u64(h, (uint64_t)st.st_ctim.tv_nsec);
}

void toolkit_hash(const char *name, struct hash *h)
{
    LOCAL(arena_drop) struct arena *a = arena_new();
    for (const char *const *file = toolkit_libraries(name, a); *file; file++) hash_file(*file, h);
    hash_text(h, getenv("LD_LIBRARY_PATH"));
    hash_file("/etc/ld.so.cache", h);
}
