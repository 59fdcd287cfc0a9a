// One other shard is looked at, the first that has begun: a thousand tasks that begin together must not read a thousand
// files each. Where none has rows yet it is decided under a lock: a shard that holds its report's lock, and whose run
// file is there, has been let through.
// SPDX-License-Identifier: MIT
#include "run/engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/file.h"
#include "store/merge.h"
#include "store/runfile.h"

enum { LOOKED_AT = 64 };

struct shards {
    const struct engine *engine;
    char report[4096], *ours; // the merged report's path; this run's devices
    unsigned mine, count;
    char *theirs, other[4200]; // the shard that has begun, and its devices; NULL: none has
};

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

static char *devices_of(const char *shard)
{
    char *facts = runfile_read(shard), *devices = facts ? runfile_get(facts, "device", 0) : NULL;
    free(facts);
    return devices;
}

// `let_through`: it has no rows perhaps, but runs.
static bool has_begun(struct shards *s, const char *shard, bool let_through)
{
    struct lock_view v;
    if (!file_exists(shard) || strcmp(shard, s->engine->path) == 0) return false;
    if (!has_rows(shard) && !(let_through && lock_view(shard, &v))) return false;
    snprintf(s->other, sizeof s->other, "%s", shard);
    return (s->theirs = devices_of(shard));
}

static bool find_begun(struct shards *s, bool let_through)
{
    LOCAL(diags_clear) struct diags ignored = {0};
    char path[4200];
    bool found = false;
    for (unsigned k = 1; k <= s->count && k <= LOOKED_AT && !found; k++) {
        snprintf(path, sizeof path, "%.*s.%u-of-%u.csv", (int)(strlen(s->report) - strlen(".csv")), s->report, k,
            s->count);
        found = has_begun(s, path, let_through);
    }
    char **all = found ? NULL : merge_shards(s->report, &ignored); // cut otherwise too, or begun from the middle
    for (size_t i = 0; all && all[i] && !found; i++) found = has_begun(s, all[i], let_through);
    merge_shards_free(all);
    return found;
}

static bool refuse(const struct shards *s)
{
    if (strcmp(s->theirs, s->ours) == 0) return false;
    const char *slash = strrchr(s->other, '/');
    diag_system(s->engine->diags, "ask the scheduler for one model of GPU for all tasks, and submit again",
        "this task measures on %s, and %s was begun on %s: their rows are not to be joined; nothing was measured",
        s->ours, slash ? slash + 1 : s->other, s->theirs);
    return true;
}

static bool begin(struct engine *e, const struct run_summary *at_start)
{
    return record_run(&e->runfile, &e->lanes, e->options, at_start, false, e->diags);
}

bool one_model(struct engine *e, const struct lock_wait *wait, const struct run_summary *at_start)
{
    struct shards s = {.engine = e};
    struct str ours = {0};
    if (!e->options->one_model || !merge_shard_name(e->path, &s.mine, &s.count, s.report)) return begin(e, at_start);
    lanes_print(&e->lanes, &ours);
    s.ours = str_take(&ours);
    bool good;
    if (find_begun(&s, false)) {
        good = !refuse(&s) && begin(e, at_start);
    } else {
        LOCAL(mem_drop) char *model = beside_with(s.report, ".model");
        struct lock *l = lock_take(model, wait, e->diags);
        good = l && !(find_begun(&s, true) && refuse(&s)) && begin(e, at_start);
        lock_release(l);
    }
    free(s.theirs);
    free(s.ours);
    return good;
}
