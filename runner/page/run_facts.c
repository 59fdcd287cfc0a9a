// Reads the run file's facts by name, and the question from the experiment's text, which the run file contains.
// SPDX-License-Identifier: MIT
#include "page/run_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/runfile.h"

static const char *get(const char *text, const char *name, int run, struct arena *arena)
{
    LOCAL(mem_drop) char *value = runfile_get(text, name, run);
    return value && *value ? arena_strdup(arena, value) : NULL;
}

static unsigned long get_number(const char *text, const char *name, int run, struct arena *arena)
{
    const char *value = get(text, name, run, arena);
    return value ? strtoul(value, NULL, 10) : 0;
}

static void add(struct run_facts *f, const char *name, const char *text)
{
    if (text && f->count < FACTS_MOST) f->items[f->count++] = (struct fact){name, text};
}

// "cuda:0, NVIDIA H200, sm_90, ...": every device that took part.
static void add_devices(struct run_facts *f, const char *text, struct arena *arena)
{
    char name[32];
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "device_%d", i);
        add(f, "device", get(text, name, 0, arena));
    }
}

static int numbered(const char *text, const char *what, int run, const char *all[CLAIMS_MOST], struct arena *arena)
{
    int count = 0;
    for (; run && count < CLAIMS_MOST; count++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%d", what, count + 1);
        if (!(all[count] = get(text, name, run, arena))) break;
    }
    return count;
}

void run_facts_read(struct run_facts *f, const char *text, struct arena *arena)
{
    *f = (struct run_facts){0};
    if (!text) return;
    int last = runfile_runs(text) ? -1 : 0;
    const char *date = last ? get(text, "finished", last, arena) : NULL;
    if (!date && last) date = get(text, "started", last, arena);
    f->points = get_number(text, "points", 0, arena);
    f->broken = last ? get_number(text, "broken", last, arena) : 0;
    f->unchecked = last ? get_number(text, "unchecked", last, arena) : 0;
    f->claim_count = numbered(text, "expectation", last, f->claims, arena);
    f->line_count = numbered(text, "script_line", last, f->lines, arena);
    add_devices(f, text, arena);
    add(f, "identity", get(text, "device_identity", 0, arena));
    add(f, "compiler", get(text, "compiler", 0, arena));
    add(f, "measure", get(text, "measure", 0, arena));
    add(f, "gpuexp", get(text, "gpuexp", 0, arena));
    add(f, "host", last ? get(text, "host", last, arena) : NULL);
    add(f, "date", date);
    add(f, "command", last ? get(text, "command", last, arena) : NULL);
}
