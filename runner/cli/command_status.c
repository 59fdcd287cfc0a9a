// `gpuexp status`: how far reports and their shards are.
// SPDX-License-Identifier: MIT
#include "cli/as_json.h"
#include "cli/commands.h"
#include "plan/load.h"
#include "run/run.h"
#include "run/status.h"

#include <stdlib.h>
#include <string.h>

static bool is_report(const char *name)
{
    size_t n = strlen(name);
    return n > 4 && strcmp(name + n - 4, ".csv") == 0;
}

// The worst of all: an error, points left, a point that went wrong.
static int graver(int a, int b)
{
    static const int order[] = {3, 2, 75, 1, 0};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i]) return order[i];
    return a;
}

int command_status(const struct options *o, struct diags *d)
{
    int status = 0;
    struct json j = json_begin(stdout, false), *to = as_json(o) ? &j : NULL;
    if (to) json_list(to, NULL);
    for (size_t i = 0; i < o->operand_count; i++) {
        struct request one = options_request(o);
        struct loaded all;
        one.files += i;
        one.count = 1;
        if (is_report(o->operands[i])) {
            status = graver(status, run_status(o->operands[i], stdout, to, d));
            continue;
        }
        if (load_files(&one, &all, d))
            for (size_t k = 0; k < all.count; k++) {
                char *report = run_report_path(all.items[k], &(struct run_options){0});
                status = graver(status, run_status(report, stdout, to, d));
                free(report);
            }
        load_release(&all);
    }
    if (to) json_end(to);
    return status;
}
