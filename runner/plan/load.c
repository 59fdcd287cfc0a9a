// Finds the files of a request, reads them, and makes their plans.
// SPDX-License-Identifier: MIT
#include "plan/load.h"

#include "base/file.h"
#include "base/text.h"
#include "plan/plan_inside.h"
#include "spec/include.h"

#include <stdlib.h>
#include <string.h>

static bool load_script(struct loaded *all, size_t i, struct diags *d)
{
    const struct experiment *e = all->items[i];
    if (!e->script) return true;
    LOCAL(mem_drop) struct script_param *given = mem_alloc((e->script_options.count + 1) * sizeof *given);
    for (size_t k = 0; k < e->script_options.count; k++) {
        const struct assignment *a = &e->script_options.items[k];
        given[k] = (struct script_param){a->name, a->value, a->at};
    }
    all->scripts[i] = script_new(all->sandbox, e->script, given, e->script_options.count, e->script_at, d);
    return all->scripts[i] != NULL;
}

// The kernel by itself, at its own defaults: what an experiment says that says no more than `kernel: NAME`.
static bool load_kernel(const char *path, const char *name, const struct request *r, struct experiments *file,
    struct diags *d)
{
    LOCAL(str_release) struct str text = {0};
    str_add(&text, "kernel: '");
    for (const char *p = name; *p; p++) str_addf(&text, *p == '\'' ? "''" : "%c", *p);
    str_add(&text, "'\n");
    return experiments_parse(path, text.text, text.size, r->overrides, r->override_count, file, d);
}

static bool load_kernel_file(const char *path, const struct request *r, struct experiments *file, struct diags *d)
{
    const char *slash = strrchr(path, '/');
    LOCAL(str_release) struct str name = {0};
    str_addf(&name, "./%s", slash ? slash + 1 : path);
    return load_kernel(path, name.text, r, file, d);
}

static bool is_source(const char *name) { return text_ends(name, ".cu") || include_is_made(name); }

// A file by its path, where a kernel stands for itself at its own defaults, or what is shipped by its name: a kernel,
// where kernels are asked for, else an experiment.
static bool load_one(const struct request *r, const char *name, bool kernels, struct experiments *file, struct diags *d)
{
    const bool bare = !strchr(name, '/') && !file_exists(name);
    char *found = NULL;
    bool good;
    if (is_source(name) && file_exists(name)) return load_kernel_file(name, r, file, d);
    if (kernels && bare && (found = file_find("kernels", name, ".cu"))) good = load_kernel(name, name, r, file, d);
    else {
        found = bare ? file_find("experiments", name, ".yaml") : NULL;
        good = experiments_load(found ? found : name, r->overrides, r->override_count, file, d);
    }
    free(found);
    return good;
}

static bool load_each(const struct request *r, bool kernels, struct loaded *all, struct diags *d)
{
    bool good = true;
    size_t room = 0;
    *all = (struct loaded){.files = mem_alloc(r->count * sizeof *all->files), .file_count = r->count};
    all->sandbox = sandbox_new(&(struct sandbox_limits){.seed = r->seed});
    for (size_t i = 0; i < r->count; i++) {
        struct experiments *file = &all->files[i];
        good &= load_one(r, r->files[i], kernels, file, d);
        for (size_t k = 0; k < file->count; k++) {
            if (r->only && strcmp(r->only, file->items[k]->name) != 0) continue;
            mem_grow(&all->items, &room, all->count + 1, sizeof *all->items);
            all->items[all->count++] = file->items[k];
        }
    }
    all->scripts = mem_alloc((all->count + 1) * sizeof *all->scripts);
    for (size_t i = 0; i < all->count; i++) good &= load_script(all, i, d);
    return good;
}

bool load_files(const struct request *r, struct loaded *all, struct diags *d) { return load_each(r, false, all, d); }

bool load_kernels(const struct request *r, struct loaded *all, struct diags *d)
{
    const bool good = load_each(r, true, all, d);
    all->looked_at = true;
    return good;
}

struct plan *load_plan(const struct loaded *all, size_t i, struct diags *d)
{
    if (all->items[i]->script && !all->scripts[i]) return NULL; // it was reported already
    struct plan *p = plan_new_scripted(all->items[i], all->sandbox, all->scripts[i], d);
    if (p && !all->looked_at) idle_tell(all->items[i], d);
    return p;
}

void load_release(struct loaded *all)
{
    for (size_t i = 0; i < all->count && all->scripts; i++) script_free(all->scripts[i]);
    free(all->scripts);
    for (size_t i = 0; i < all->file_count; i++) experiments_free(&all->files[i]);
    free(all->files);
    free(all->items);
    if (all->sandbox) sandbox_free(all->sandbox);
    *all = (struct loaded){0};
}

bool *load_shard(const struct request *r, const struct plan *p)
{
    size_t part;
    if (!r->shards) return NULL;
    LOCAL(mem_drop) uint32_t *order = plan_order(p, r->seed, (unsigned)r->shard, (unsigned)r->shards, &part);
    bool *mine = mem_alloc(plan_count(p) + 1);
    for (size_t i = 0; i < part; i++) mine[order[i]] = true;
    return mine;
}
