// `gpuexp print WHAT [WHICH]`: what other programs read: the manual, the schemas, the completion of a shell.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"
#include "words/glossary.h"

#include <string.h>

int command_print(const struct options *o, struct diags *d)
{
    const char *what = o->operands[0], *which = o->operand_count > 1 ? o->operands[1] : NULL;
    if (strcmp(what, "manual") == 0) return manual_print(which, d) ? 0 : 2;
    if (strcmp(what, "schema") == 0) return schema_print(which, d) ? 0 : 2;
    if (strcmp(what, "completion") == 0) return completion_print(which, o->rest, d) ? 0 : 2;
    diag_user(d, (struct where){0}, "there are: manual, schema, completion", "`%s` cannot be printed", what);
    return 2;
}
