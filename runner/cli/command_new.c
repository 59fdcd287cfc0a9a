// `gpuexp new kernel|experiment NAME`: a small start that runs, to be changed.
// SPDX-License-Identifier: MIT
#include "base/embed.h"
#include "base/file.h"
#include "base/say.h"
#include "cli/commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The text with every NAME and KERNEL replaced.
static void add_filled(struct str *s, const char *text, const char *name, const char *kernel)
{
    while (*text) {
        const bool is_name = strncmp(text, "NAME", 4) == 0, is_kernel = strncmp(text, "KERNEL", 6) == 0;
        if (is_name) str_add(s, name), text += 4;
        else if (is_kernel) str_add(s, kernel), text += 6;
        else str_add_bytes(s, text++, 1);
    }
}

static bool write_new(const char *path, const char *start, const char *name, const char *kernel, struct diags *d)
{
    const struct embedded *e = embed_find(start);
    LOCAL(str_release) struct str s = {0};
    FILE *f = e ? fopen(path, "wx") : NULL; // x: never over a file that is there
    if (!f && errno == EEXIST)
        return diag_user(d, (struct where){.file = path}, "choose another name",
            "is there already: nothing was written");
    if (!f) return diag_system(d, NULL, "cannot write %s: %s", path, strerror(errno));
    add_filled(&s, e->text, name, kernel);
    say_bytes(f, s.text, s.size);
    const bool whole = fflush(f) == 0 && !ferror(f);
    if (fclose(f) != 0 || !whole) return diag_system(d, NULL, "cannot write %s: %s", path, strerror(errno));
    say(stdout, "%s\n", path);
    return true;
}

// Under kernels/ or experiments/ where there is such a folder, else here.
static void add_place(struct str *s, const char *folder, const char *name, const char *suffix)
{
    if (access(folder, W_OK) == 0) str_addf(s, "%s/", folder);
    str_addf(s, "%s%s", name, suffix);
}

static bool is_good(const char *name, struct diags *d)
{
    static const char letters[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    if (*name && strlen(name) <= 60 && !name[strspn(name, letters)] && !(*name >= '0' && *name <= '9')) return true;
    return diag_user(d, (struct where){0}, "letters, digits and _, not beginning with a digit",
        "`%s` cannot be the name of a kernel or an experiment", name);
}

static bool new_kernel(const char *name, struct str *path, struct diags *d)
{
    add_place(path, "kernels", name, ".cu");
    return write_new(path->text, "runner/cli/new/start.cu", name, "", d);
}

// Of the kernel of that name; where there is none, it is made too.
static bool new_experiment(const char *name, struct diags *d)
{
    LOCAL(str_release) struct str path = {0}, kernel = {0};
    LOCAL(mem_drop) char *found = file_find("kernels", name, ".cu");
    add_place(&path, "experiments", name, ".yaml");
    bool good = !file_exists(path.text) ||
        diag_user(d, (struct where){.file = path.text}, "choose another name", "is there already: nothing was written");
    LOCAL(str_release) struct str own = {0};
    str_addf(&own, "%s.cu", name);
    if (good && !found && !file_exists(own.text)) good = new_kernel(name, &kernel, d);
    const bool here = !found && access("kernels", W_OK) != 0; // then the kernel lies beside neither
    str_clear(&own);
    str_addf(&own, "%s%s%s", here ? strchr(path.text, '/') ? "../" : "./" : "", name, here ? ".cu" : "");
    good = good && write_new(path.text, "runner/cli/new/start.yaml", name, own.text, d);
    if (good) say(stdout, "run it: gpuexp %s\n", path.text);
    return good;
}

int command_new(const struct options *o, struct diags *d)
{
    const char *what = o->operands[0], *name = o->operands[1];
    LOCAL(str_release) struct str path = {0};
    if (strcmp(what, "kernel") != 0 && strcmp(what, "experiment") != 0)
        diag_user(d, (struct where){0}, "`gpuexp new kernel NAME` or `gpuexp new experiment NAME`",
            "`%s` is neither a kernel nor an experiment", what);
    else if (is_good(name, d)) {
        if (*what == 'e') new_experiment(name, d);
        else new_kernel(name, &path, d);
    }
    return 0;
}
