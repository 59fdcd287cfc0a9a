// Looks at one other shard, the first that has begun: a thousand tasks that begin together must not read a thousand
// files each.
// SPDX-License-Identifier: MIT
#include "run/one_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/merge.h"
#include "store/runfile.h"

enum { LOOKED_AT = 64 };

// Has it a line behind its header?
static bool has_rows(const char *path)
{
    FILE *f = fopen(path, "re");
    int c = 0, lines = 0;
    while (f && lines < 1 && (c = getc(f)) != EOF) lines += c == '\n';
    const bool more = f && lines && getc(f) != EOF;
    if (f) fclose(f);
    return more;
}

bool one_model(struct engine *e)
{
    char report[4096], first[4200];
    unsigned mine, shards, k = 1;
    if (!e->options->one_model || !merge_shard_name(e->path, &mine, &shards, report)) return true;
    char *theirs = NULL, *ours = NULL, *facts = NULL;
    for (; !facts && k <= shards && k <= LOOKED_AT; k += !facts) {
        snprintf(first, sizeof first, "%.*s.%u-of-%u.csv", (int)(strlen(report) - strlen(".csv")), report, k, shards);
        if (k != mine) facts = runfile_read(first);
    }
    theirs = facts ? runfile_get(facts, "device", 0) : NULL;
    free(facts);
    facts = runfile_read(e->path);
    ours = facts ? runfile_get(facts, "device", 0) : NULL;
    free(facts);
    bool good = true;
    if (theirs && ours && strcmp(theirs, ours) != 0 && (k < mine || has_rows(first)))
        good = diag_system(e->diags, "ask the scheduler for one model of GPU for all tasks, and submit again",
            "this task measures on %s, and shard %u of this sweep on %s: their rows are not to be joined; nothing was "
            "measured",
            ours, k, theirs);
    // Another attempt may be given the right one: nothing of this one is in its way.
    if (!good && !report_rows(e->report)) unlink(e->runfile.path);
    free(theirs);
    free(ours);
    return good;
}
