// The command line: from argv to an exit status (0, 1, 2, 3 or 75; runner/DESIGN.md says when).
// SPDX-License-Identifier: MIT
#ifndef CLI_CLI_H
#define CLI_CLI_H
int cli_main(int argc, char **argv);
#endif
