// Shared by the files that read one experiment: the document, the experiment that it becomes, and the names it may use.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/experiment.h"
#include "spec/known.h"
#include "spec/node.h"

struct reading {
    struct experiment *e;
    const struct node *root;
    bool broken; // a part could not be read: nothing is complained of as missing
    struct sandbox *lua;
    struct arena *arena;
    struct diags *diags;
    const char *const *kernel_names; // of the axis `kernel`, as they are written
};

// What a key of `with` or an axis stands for.
struct target {
    const char *name;
    const struct param *param; // or
    int setting;               // >= 0, or neither: the kernel could not be read
    bool kernel;               // or the axis `kernel`
    bool fixed;                // for all points
};

// kernels.c: the kernel, or those of the axis `kernel`. `failed`: paths that were complained of already.
void kernels_read(struct reading *, struct known *failed);
void kernels_check(const struct reading *); // once the axes are read: do they have the same parameters?
bool kernels_value(const struct reading *, const struct node *, struct value *); // a value of that axis
void kernels_free(struct experiment *);
// axes.c: with, sweep, together, include, exclude, keep_together, and the names they give values.
void axes_read(struct reading *);
// The axes that a key names, one or a list; NULL-terminated.
const char **axes_names(const struct reading *, const struct node *, const char *key);
bool axes_is_script_option(const char *key); // script.budget, also under `with`
// clauses.c: where, derive, expect, measure, script.
void clauses_read(struct reading *);

// clauses.c: found.
void found_before_read(const struct reading *);
// clauses.c: answer.
void answers_read(const struct reading *);

// override.c: the document with every `-s` in it. Overrides are read once a file, into nodes of their own.
struct override_node {
    const char *section, *name; // "measure", "precision"; section NULL: a bare name, or a whole section
    struct node *key, *item;
};
struct override_node *override_read(const struct override *, size_t *count, struct arena *, struct diags *);
struct node *override_apply(struct node *root, const struct override_node *, size_t count, struct arena *);

struct laid { // what the command line lays over a document
    const struct override_node *nodes;
    size_t count;
};
// override.c: the document with `window.ratio: 1` for `window: {ratio: 1}`.
struct node *setting_parts_spread(struct node *root, struct arena *, struct diags *);
// override.c: the document with what its `for` says of the kind of device that is asked for, and what the command
// line says.
struct node *for_device_apply(struct reading *, struct node *root, const struct laid *);

// known.c: which kinds of value a name has, so that a comparison that is never true can be told.
//
// For `struct known`: `context` is the experiment. What the file gives the name, else its default's.
int kinds_here(const void *context, const char *name);
