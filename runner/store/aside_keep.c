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
#include "store/each_launch.h"
#include "store/report.h"

enum { BESIDE = 3 }; // the report, its run file, its launches

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
    char *run = report_beside(report, ".run.yaml"), *launches = each_launch_path(report);
    const char *const paths[BESIDE] = {report, run, launches};
    struct str to = {0};
    struct stat st;
    bool ok = true;
    int n = 1;
    if (lstat(report, &st) != 0 && lstat(run, &st) != 0) return free(run), free(launches), true;
    while (n <= ASIDE_MOST_KEPT && is_taken(&to, paths, n)) n++;
    if (n > ASIDE_MOST_KEPT) let_oldest_go(paths, d), n = ASIDE_MOST_KEPT;
    for (int i = 0; i < BESIDE; i++) {
        kept_name(&to, paths[i], n);
        if (link(paths[i], to.text) != 0 && errno != ENOENT && rename(paths[i], to.text) != 0)
            ok = diag_system(d, NULL, "cannot keep %s as %s: %s", paths[i], to.text, strerror(errno));
    }
    str_release(&to);
    if (ok) unlink(launches); // it is kept; the new report has none yet
    free(run);
    free(launches);
    return ok;
}
