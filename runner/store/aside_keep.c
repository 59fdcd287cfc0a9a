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
#include "store/beside.h"
#include "store/report.h"

enum { BESIDE = 2 + BESIDE_TABLES }; // the report, its run file, the tables beside it

static void kept_name(struct str *s, const char *path, int n)
{
    str_clear(s);
    str_addf(s, "%s.bak", path);
    if (n > 1) str_addf(s, ".%d", n);
}

static bool is_taken(struct str *s, const char *const paths[BESIDE], int n)
{
    struct stat st;
    bool taken = false;
    for (int i = 0; i < BESIDE; i++) {
        kept_name(s, paths[i], n);
        taken |= lstat(s->text, &st) == 0;
    }
    return taken;
}

// Each gets the name of the one before it. What fails here fails again, with its sentence, when the last name is used.
static void let_oldest_go(const char *const paths[BESIDE], struct diags *d)
{
    struct str from = {0}, to = {0};
    for (int i = 0; i < BESIDE; i++) {
        kept_name(&to, paths[i], 1);
        if (unlink(to.text) == 0 && i == 0)
            diag_add(d, DIAG_WARNING, (struct where){0}, NULL,
                "%s, the oldest of %d earlier reports that are kept, is removed", to.text, ASIDE_MOST_KEPT);
        for (int n = 2; n <= ASIDE_MOST_KEPT; n++) {
            kept_name(&from, paths[i], n);
            kept_name(&to, paths[i], n - 1);
            if (rename(from.text, to.text) != 0 && errno != ENOENT) break;
        }
    }
    str_release(&from);
    str_release(&to);
}

bool aside_keep(const char *report, struct diags *d)
{
    const char *paths[BESIDE] = {report};
    char *beside[BESIDE] = {NULL, report_beside(report, ".run.yaml")};
    struct str to = {0};
    struct stat st;
    bool ok = true;
    int n = 1;
    for (int i = 2; i < BESIDE; i++) beside[i] = report_beside(report, beside_suffixes[i - 2]);
    for (int i = 1; i < BESIDE; i++) paths[i] = beside[i];
    if (lstat(report, &st) != 0 && lstat(paths[1], &st) != 0) goto done;
    while (n <= ASIDE_MOST_KEPT && is_taken(&to, paths, n)) n++;
    if (n > ASIDE_MOST_KEPT) let_oldest_go(paths, d), n = ASIDE_MOST_KEPT;
    for (int i = 0; i < BESIDE; i++) {
        kept_name(&to, paths[i], n);
        if (link(paths[i], to.text) != 0 && errno != ENOENT && rename(paths[i], to.text) != 0)
            ok = diag_system(d, NULL, "cannot keep %s as %s: %s", paths[i], to.text, strerror(errno));
    }
    for (int i = 2; i < BESIDE && ok; i++) unlink(paths[i]); // they are kept; the new report has none yet
done:
    str_release(&to);
    for (int i = 1; i < BESIDE; i++) free(beside[i]);
    return ok;
}
