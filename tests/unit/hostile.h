// For tests with hostile scripts: runs a body of `keep` in a sandbox of its own and returns its answer or complaint.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "lua/script.h"
#include "unit/test.h"

static struct arena *memory;
static char path[64];

// The script's `keep`, whose body is `body`: the answer is "true", "false", its reason or the first complaint.
static inline const char *run(const char *body, const struct sandbox_limits *limits)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(limits);
    FILE *f = fopen(path, "w");
    fprintf(f, "local function body(point)\n%s\nend\nreturn {keep = function(point) return body(point) end}\n", body);
    fclose(f);
    struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
    bool kept = false;
    const char *reason = NULL, *name = "n", *said;
    const struct value n = value_int(7);
    if (s && script_keep(s, script_shape(s, &name, 1), &n, &kept, &reason, &d))
        said = kept ? "true" : reason ? arena_strdup(memory, reason) : "false";
    else said = arena_strdup(memory, d.count ? d.items[0].what : "");
    script_free(s);
    sandbox_free(box);
    diags_clear(&d);
    return said;
}

static inline const char *ask(const char *body) { return run(body, &(struct sandbox_limits){.seed = 1}); }

static const char over[] = "keep: ran past its budget of 1000000 instructions or 1 s of processor time";

// The script must be ended soon.
static inline void stopped(const char *body)
{
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    const char *said = run(body, &(struct sandbox_limits){.instructions = 1000000, .memory = 64 << 20});
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    double took = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    if (strcmp(said, over) != 0 || took > 5) printf("after %.2f s: %s\n", took, body);
    CHECK_TEXT(said, over);
    CHECK(took < 5);
}
