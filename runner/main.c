// The program's only exit: everything else returns what it has to say.
// SPDX-License-Identifier: MIT
#include "cli/cli.h"

int main(int argc, char **argv) { return cli_main(argc, argv); }
