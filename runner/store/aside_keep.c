// Names of earlier reports that are kept: the oldest is .bak, the newest has the highest number.
// SPDX-License-Identifier: MIT
#include "store/aside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/beside.h"
#include "base/file.h"
#include "store/swap.h"

struct kept_set { // the report and what was measured and stands beside it
    char *paths[1 + BESIDE_COUNT];
    size_t count;
};

static struct kept_set set_of(const char *report)
{
    struct kept_set s = {.paths = {str_copy(report)}, .count = 1};
    for (enum beside b = 0; b < BESIDE_COUNT; b++)
        if (beside_table[b].is & BESIDE_KEPT) s.paths[s.count++] = beside_path(report, b);
    return s;
}

static void kept_name(struct str *s, const char *path, int n)
{
    str_clear(s);
    str_addf(s, "%s.bak", path);
    if (n > 1) str_addf(s, ".%d", n);
}

static bool is_there(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

static bool is_taken(struct str *name, const struct kept_set *s, int n)
{
    bool taken = false;
    for (size_t i = 0; i < s->count; i++) {
        kept_name(name, s->paths[i], n);
        taken |= is_there(name->text);
    }
    return taken;
}

// Each gets the name of the one before it. What fails here fails again, with its sentence, when the last name is used.
static void let_oldest_go(const struct kept_set *s, struct diags *d)
{
    LOCAL(str_release) struct str from = {0}, to = {0};
    for (size_t i = 0; i < s->count; i++) {
        kept_name(&to, s->paths[i], 1);
        if (unlink(to.text) == 0 && i == 0)
            diag_add(d, DIAG_WARNING, (struct where){0}, NULL,
                "%s, the oldest of %d earlier reports that are kept, is removed", to.text, ASIDE_MOST_KEPT);
        for (int n = 2; n <= ASIDE_MOST_KEPT; n++) {
            kept_name(&from, s->paths[i], n);
            kept_name(&to, s->paths[i], n - 1);
            if (rename(from.text, to.text) != 0 && errno != ENOENT) break;
        }
    }
}

// There are file systems without second names: there it is a copy.
static bool keep(struct lock *l, const char *path, const char *as, struct diags *d)
{
    size_t size;
    if (link(path, as) == 0 || errno == ENOENT) return true;
    if (errno == EEXIST) return diag_system(d, "run it again", "somebody else made %s meanwhile", as);
    struct stat st;
    if (lstat(path, &st) != 0 && errno == ENOENT) return true; // whatever the link failed of, nothing is to be kept
    LOCAL(mem_drop) char *text = file_read(path, SIZE_MAX / 2, &size, d);
    return text && swap_text(l, as, text, size, NULL, d);
}

bool aside_keep(struct lock *l, const char *report, bool leave, char as[4200], struct diags *d)
{
    struct kept_set s = set_of(report);
    LOCAL(str_release) struct str to = {0};
    bool ok = true, any = false;
    int n = 1;
    for (size_t i = 0; i < s.count; i++) any |= i != 1 && is_there(s.paths[i]); // a run file alone has measured nothing
    while (any && n <= ASIDE_MOST_KEPT && is_taken(&to, &s, n)) n++;
    if (n > ASIDE_MOST_KEPT) let_oldest_go(&s, d), n = ASIDE_MOST_KEPT;
    for (size_t i = 0; any && ok && i < s.count; i++) {
        kept_name(&to, s.paths[i], n);
        if (as && !i) snprintf(as, 4200, "%s", to.text);
        ok = keep(l, s.paths[i], to.text, d);
    }
    // They are kept; the report that replaces this one has none yet, and replaces the run file itself.
    for (size_t i = 2; any && leave && ok && i < s.count; i++)
        if (unlink(s.paths[i]) != 0 && errno != ENOENT)
            ok = diag_system(d, "run it again", "cannot remove %s: %s", s.paths[i], strerror(errno));
    for (size_t i = 0; i < s.count; i++) free(s.paths[i]);
    return ok;
}
