// Chooses the command.
// SPDX-License-Identifier: MIT
#include "cli/cli.h"

#include <stdio.h>

int cli_main(int argc, char **argv)
{
    (void)argc;
    fprintf(stderr, "%s: no command is built yet\n", argv[0]);
    return 2;
}
