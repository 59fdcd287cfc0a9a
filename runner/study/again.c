// Reads what stands beside a report, and lets its texts stand in for the files.
// SPDX-License-Identifier: MIT
#include "study/again.h"

#include "base/file.h"
#include "plan/load.h"
#include "store/runfile.h"

#include <stdlib.h>
#include <string.h>

const char *again_fact(const struct again *r, const char *name)
{
    char *value = runfile_get(r->facts, name, 0);
    const char *kept = value ? arena_strdup(r->arena, value) : NULL;
    free(value);
    return kept;
}

bool again_cannot(const struct again *r, struct diags *d, const char *hint, const char *what)
{
    return diag_user(d, (struct where){.file = r->report}, hint, "cannot be run again: %s", what);
}

// The text that was read from `path` then is what is read now.
static bool stand_in(const struct again *r, const char *path, const char *name)
{
    char *text = runfile_text(r->facts, name);
    if (!text || !path) return free(text), false;
    file_stand_in(path, arena_strdup(r->arena, text));
    free(text);
    return true;
}

void again_override(struct again *r, const char *text)
{
    struct request *q = &r->again;
    mem_grow(&q->overrides, &q->override_room, q->override_count + 1, sizeof *q->overrides);
    q->overrides[q->override_count++] = (struct override){text};
}

static bool take_overrides(struct again *r, struct diags *d)
{
    const char *joined = again_fact(r, "overrides"), *one;
    r->again.overrides = NULL;
    r->again.override_count = r->again.override_room = 0;
    for (int i = 0; (one = again_fact(r, arena_printf(r->arena, "override_%d", i))); i++) again_override(r, one);
    if (!joined || !*joined) return true;
    for (const char *from = joined; r->splits && *from;) {
        const size_t n = strcspn(from, " ");
        again_override(r, arena_printf(r->arena, "%.*s", (int)n, from));
        from += n + (from[n] == ' ');
    }
    if (r->splits) return true;
    if (strchr(joined, ' '))
        return again_cannot(r, d, "run the experiment with them yourself, and `gpuexp compare`",
            arena_printf(r->arena, "its overrides were written as one text: %s", joined));
    again_override(r, joined);
    return true;
}

// The texts of one kernel, or of each where they are an axis. False: none was kept.
static bool take_kernels(struct again *r)
{
    const char *path;
    if (stand_in(r, again_fact(r, "kernel_file"), "kernel_text")) return true;
    for (int i = 0; (path = again_fact(r, arena_printf(r->arena, "kernel_file_%d", i))); i++)
        if (!stand_in(r, path, arena_printf(r->arena, "kernel_text_%d", i))) return false;
    return again_fact(r, "kernel_file_0");
}

bool again_take(struct again *r, struct diags *d)
{
    struct request *q = &r->again;
    const char *file = again_fact(r, "file"), *script = again_fact(r, "script_file"), *n;
    if (!stand_in(r, file, "text")) return again_cannot(r, d, NULL, "its run file has no text of the experiment");
    if (!take_kernels(r) && !again_fact(r, "kernel_hash"))
        return again_cannot(r, d, NULL, "its run file does not name a kernel");
    if (script && !stand_in(r, script, "script_text"))
        return again_cannot(r, d, NULL, "the text of its script is missing");
    q->files = arena_copy(r->arena, &file, sizeof file);
    q->count = 1;
    q->only = again_fact(r, "experiment");
    if ((n = again_fact(r, "seed"))) q->seed = strtoull(n, NULL, 10);
    if ((n = again_fact(r, "shard"))) q->shard = strtoull(n, NULL, 10);
    if ((n = again_fact(r, "shards"))) q->shards = strtoull(n, NULL, 10);
    return take_overrides(r, d);
}

// A file that fills a buffer must hold what it held.
static bool same_files(const struct again *r, const struct experiment *e, struct diags *d)
{
    size_t n = 0;
    for (size_t i = 0; i < e->kernel_count; i++)
        for (size_t k = 0; k < e->kernels[i]->buffer_count; k++) {
            const struct buffer *b = &e->kernels[i]->buffers[k];
            const char *then = b->file ? again_fact(r, arena_printf(r->arena, "fill_hash_%zu", n++)) : NULL;
            if (then && strcmp(then, b->file_hash) != 0)
                return again_cannot(r, d, "put back what it held, or run the experiment anew",
                    arena_printf(r->arena, "%s, which fills `%s`, holds something else now (checksum %s; it was %s)",
                        b->file, b->name, b->file_hash, then));
        }
    return true;
}

bool again_device(struct again *r, struct diags *d)
{
    const char *device = again_fact(r, "device_0");
    struct loaded all;
    bool said = false;
    const bool loaded = load_files(&r->again, &all, d) && all.count == 1,
               good = loaded && same_files(r, all.items[0], d);
    for (size_t n = 0; good && n < all.items[0]->name_count; n++)
        said = said || strcmp(all.items[0]->names[n], "device") == 0;
    r->named = good && !said && device && !again_fact(r, "device_1");
    if (r->named) again_override(r, arena_printf(r->arena, "device=%.*s", (int)strcspn(device, ","), device));
    if (!good && !diags_errors(d)) again_cannot(r, d, NULL, "its experiment is not in the text that was kept");
    load_release(&all);
    return good;
}
