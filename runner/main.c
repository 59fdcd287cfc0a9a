// The program's only exit: everything else returns what it has to say.
// SPDX-License-Identifier: MIT
#include "cli/commands.h"

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    // Where a standard stream is closed the next file that is opened would take its place, a report say. Nothing can be
    // written to these.
    int fd;
    while ((fd = open("/dev/null", O_RDONLY)) >= 0 && fd < 3) {}
    if (fd >= 0) close(fd);
    return cli_main(argc, argv);
}
