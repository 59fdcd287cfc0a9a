// The files of the compile cache: a header with the size and hash of the rest, then the code, piece by piece.
// SPDX-License-Identifier: MIT
#include "compile/cache.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST = 256 << 20, STORES_A_LOOK = 64 };
#define MOST ((uint64_t)1 << 30) // bytes of all entries; a kernel's code takes some 50 KB

struct header {
    char magic[8];
    uint64_t bytes, hash[2]; // of everything after the header; the key is in the hash, so that none stands for another
};
struct cache_sizes {
    uint64_t ptx, cubin, entries, entry_bytes;
};
static const char magic[8] = "gpuexpC3";

static bool cache_path(const char key[33], struct str *path)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && *base == '/') str_addf(path, "%s/gpuexp/code/%s", base, key);
    else if (home && *home) str_addf(path, "%s/.cache/gpuexp/code/%s", home, key);
    else return false;
    return true;
}

static void seal(const char key[33], const void *payload, size_t bytes, uint64_t out[2])
{
    struct hash h;
    hash_init(&h);
    hash_text(&h, key);
    hash_bytes(&h, payload, bytes);
    hash_final(h, out);
}

// Takes the next `n` bytes of [*p, end); NULL when there are fewer.
static const char *take(const char **p, const char *end, uint64_t n)
{
    const char *at = *p;
    if (n > (uint64_t)(end - at)) return NULL;
    *p += n;
    return at;
}

static void *copy(const void *from, size_t n)
{
    char *to = mem_alloc(n + 1);
    memcpy(to, from, n);
    to[n] = '\0';
    return to;
}

// The next `n` bytes as a text that ends within them.
static const char *take_text(const char **p, const char *end, size_t n)
{
    const char *at = take(p, end, n);
    return at && memchr(at, '\0', n) ? at : NULL;
}

static bool names_end(const char *entries, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const char *name = entries + i * sizeof(struct code_entry), *asked = name + offsetof(struct code_entry, asked);
        if (!memchr(name, '\0', CODE_NAME) || !memchr(asked, '\0', CODE_ASKED)) return false;
    }
    return true;
}

static struct code *decode(const char key[33], const char *p, size_t bytes)
{
    const char *end = p + bytes, *at;
    struct header head;
    struct cache_sizes sizes;
    uint64_t hash[2];
    if (!(at = take(&p, end, sizeof head))) return NULL;
    memcpy(&head, at, sizeof head);
    if (memcmp(head.magic, magic, sizeof magic) != 0 || head.bytes != (uint64_t)(end - p)) return NULL;
    seal(key, p, (size_t)head.bytes, hash);
    if (memcmp(hash, head.hash, sizeof hash) != 0) return NULL;
    if (!(at = take(&p, end, sizeof sizes))) return NULL;
    memcpy(&sizes, at, sizeof sizes);
    if (sizes.entry_bytes != sizeof(struct code_entry) || sizes.entries > 1 << 20) return NULL;
    struct code *code = mem_alloc(sizeof *code);
    const char *compiler = take_text(&p, end, sizeof code->compiler), *arch = take_text(&p, end, sizeof code->arch),
               *left = take_text(&p, end, sizeof code->left_out);
    const char *entries = take(&p, end, sizes.entries * sizes.entry_bytes), *ptx = take(&p, end, sizes.ptx);
    const char *cubin = take(&p, end, sizes.cubin);
    if (!compiler || !arch || !left || !entries || !names_end(entries, sizes.entries) || !ptx || !cubin || p != end) {
        free(code);
        return NULL;
    }
    memcpy(code->compiler, compiler, sizeof code->compiler);
    memcpy(code->arch, arch, sizeof code->arch);
    memcpy(code->left_out, left, sizeof code->left_out);
    code->entry_count = (size_t)sizes.entries;
    code->entries = copy(entries, (size_t)(sizes.entries * sizes.entry_bytes));
    code->ptx = copy(ptx, (size_t)sizes.ptx);
    code->cubin = sizes.cubin ? copy(cubin, (size_t)sizes.cubin) : NULL;
    code->cubin_bytes = (size_t)sizes.cubin;
    code->cached = true;
    return code;
}

// What nobody else can write.
static bool own(int fd, mode_t kind, struct stat *st)
{
    return fd >= 0 && fstat(fd, st) == 0 && (st->st_mode & S_IFMT) == kind && st->st_uid == geteuid() &&
        !(st->st_mode & 022);
}

// The folder of an entry, in place of its path.
static void to_folder(struct str *path)
{
    path->size = (size_t)(strrchr(path->text, '/') - path->text);
    path->text[path->size] = '\0';
}

// What was looked at is what is read: neither the folder nor the entry is opened a second time.
static char *read_own(const char *path, const char key[33], size_t *bytes)
{
    const int how = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    LOCAL(str_release) struct str folder = {0};
    struct stat st;
    char *text = NULL;
    str_add(&folder, path);
    to_folder(&folder);
    const int dir = open(folder.text, how | O_DIRECTORY), fd = own(dir, S_IFDIR, &st) ? openat(dir, key, how) : -1;
    if (own(fd, S_IFREG, &st) && st.st_size <= LARGEST) {
        text = mem_alloc((size_t)st.st_size + 1);
        ssize_t n;
        *bytes = 0;
        while ((n = read(fd, text + *bytes, (size_t)st.st_size - *bytes)) > 0) *bytes += (size_t)n;
        futimens(fd, NULL); // used now
    }
    if (fd >= 0) close(fd);
    if (dir >= 0) close(dir);
    return text;
}

struct code *cache_load(const char key[33])
{
    LOCAL(str_release) struct str path = {0};
    struct code *code = NULL;
    size_t bytes = 0;
    LOCAL(mem_drop) char *text = cache_path(key, &path) ? read_own(path.text, key, &bytes) : NULL;
    if (text) code = decode(key, text, bytes); // one that is shorter or longer than it says is none
    return code;
}

struct cache_entry {
    char name[64];
    struct timespec used;
    uint64_t bytes;
};

static int by_use(const void *pa, const void *pb)
{
    const struct cache_entry *a = pa, *b = pb;
    if (a->used.tv_sec != b->used.tv_sec) return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return a->used.tv_nsec < b->used.tv_nsec ? -1 : a->used.tv_nsec > b->used.tv_nsec;
}

void cache_trim(const char *folder, uint64_t most)
{
    LOCAL(mem_drop) struct cache_entry *entries = NULL;
    size_t count = 0, room = 0;
    uint64_t all = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (strlen(e->d_name) >= sizeof entries->name || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        mem_grow(&entries, &room, count + 1, sizeof *entries);
        entries[count] = (struct cache_entry){.used = st.st_mtim, .bytes = (uint64_t)st.st_size};
        strcpy(entries[count++].name, e->d_name);
        all += (uint64_t)st.st_size;
    }
    if (count) qsort(entries, count, sizeof *entries, by_use);
    for (size_t i = 0; i < count && all > most; i++)
        if (unlinkat(dirfd(d), entries[i].name, 0) == 0) all -= entries[i].bytes;
    if (d) closedir(d);
}

// Nobody else may write what is taken from here; and now and then the oldest go.
static void keep_own(struct str *path)
{
    static atomic_uint stored;
    chmod(path->text, 0600);
    to_folder(path);
    chmod(path->text, 0700); // fails where it is not ours, and then nothing is taken from it
    if (atomic_fetch_add(&stored, 1) % STORES_A_LOOK == 0) cache_trim(path->text, MOST);
}

bool cache_store(const char key[33], const struct code *code, struct diags *d)
{
    LOCAL(str_release) struct str path = {0}, s = {0};
    struct header head = {.bytes = 0};
    const struct cache_sizes sizes = {strlen(code->ptx), code->cubin_bytes, code->entry_count, sizeof *code->entries};
    if (!cache_path(key, &path))
        return diag_system(d, NULL, "neither XDG_CACHE_HOME nor HOME says where to keep compiled code");
    memcpy(head.magic, magic, sizeof magic);
    str_add_bytes(&s, &head, sizeof head);
    str_add_bytes(&s, &sizes, sizeof sizes);
    str_add_bytes(&s, code->compiler, sizeof code->compiler);
    str_add_bytes(&s, code->arch, sizeof code->arch);
    str_add_bytes(&s, code->left_out, sizeof code->left_out);
    str_add_bytes(&s, code->entries, code->entry_count * sizeof *code->entries);
    str_add_bytes(&s, code->ptx, strlen(code->ptx));
    str_add_bytes(&s, code->cubin, code->cubin_bytes);
    head.bytes = s.size - sizeof head;
    seal(key, s.text + sizeof head, (size_t)head.bytes, head.hash);
    memcpy(s.text, &head, sizeof head);
    bool stored = file_write(path.text, s.text, s.size, d);
    if (stored) keep_own(&path);
    return stored;
}

const char *cache_keep(const void *bytes, size_t size, const char key[33], struct arena *a, struct diags *d)
{
    LOCAL(str_release) struct str path = {0};
    if (!cache_path(key, &path))
        return diag_system(d, NULL, "neither XDG_CACHE_HOME nor HOME says where to keep what a buffer holds"), NULL;
    str_add(&path, ".bin");
    const char *kept = arena_strdup(a, path.text);
    if (!file_write(kept, bytes, size, d)) return NULL;
    keep_own(&path);
    return kept;
}
