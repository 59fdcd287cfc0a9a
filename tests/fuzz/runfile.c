// Fuzz target: any text as a run file, and as a value in one. What is written is read back as it was, in one line.
// SPDX-License-Identifier: MIT
#include "store/runfile.h"

#include "base/arena.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void need(bool good)
{
    if (!good) abort();
}

static void read_any(const char *text)
{
    static const char *const names[] = {"device", "compiler", NULL};
    struct runfile f = {.path = (char *)(uintptr_t) "x.run.yaml"};
    struct diags d = {0};
    const int runs = (int)runfile_runs(text);
    for (int run = -runs - 1; run <= 0; run++) {
        char *value = runfile_get(text, "started", run);
        if (run == -runs - 1 && runs) need(!value);
        free(value);
    }
    runfile_facts_of(&f, text, names);
    need(!f.facts.text || strlen(f.facts.text) == f.facts.size);
    runfile_fact(&f, "device", "one");
    const bool same = runfile_follow(&f, text, names, &d);
    need(same == (diags_errors(&d) == 0));
    diags_clear(&d);
    str_release(&f.facts);
    str_release(&f.before);
}

static void write_and_read(const char *value)
{
    struct runfile f = {.path = NULL};
    struct str text = {0};
    runfile_fact(&f, "value", value);
    need(strchr(f.facts.text, '\n') == f.facts.text + f.facts.size - 1);
    runfile_begin(&f);
    runfile_run(&f, "started", "%s", "now");
    runfile_run(&f, "host", "%s", value);
    str_addf(&text, "%sruns:\n%s", f.facts.text, f.run.text);
    char *fact = runfile_get(text.text, "value", 0), *host = runfile_get(text.text, "host", -1);
    need(fact && strcmp(fact, value) == 0);
    need(host && strcmp(host, value) == 0);
    need(runfile_runs(text.text) == 1);
    free(fact);
    free(host);
    runfile_block(&f, "experiment", value); // no line of it begins a fact
    for (char *p = f.facts.text; (p = strchr(p, '\n')) && p[1]; p++) need(strncmp(p + 1, "runs:", 5) != 0);
    str_release(&text);
    str_release(&f.facts);
    str_release(&f.run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mem_alloc(size + 1);
    if (size) memcpy(text, data, size);
    read_any(text);
    write_and_read(text);
    free(text);
    return 0;
}
