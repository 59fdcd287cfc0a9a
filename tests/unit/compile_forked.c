// A process that has compiled forks a child that closes what it inherits and uses the numbers anew, as a worker does:
// the child compiles too, and writes into nothing of its own that is not meant for a compiler.
// SPDX-License-Identifier: MIT
#include "unit/compilers.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static bool compiles(int number)
{
    struct diags d = {0};
    struct code *code = NULL;
    char text[128];
    snprintf(text, sizeof text, "extern \"C\" __global__ void k(int *p) { *p = %d; }\n", number);
    const bool good = compile_code(text, "k.cu", &(struct compile_options){0}, &code, &d);
    code_free(code);
    diags_clear(&d);
    return good;
}

static int in_child(void)
{
    int ends[2], more[8];
    char byte;
    for (int fd = 3; fd < 64; fd++) close(fd);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 2;
    for (int i = 0; i < 8; i++) more[i] = dup(ends[0]);
    compile_begin();
    if (!compiles(2)) return 3;
    for (int i = 0; i < 8; i++) close(more[i]);
    return recv(ends[1], &byte, 1, MSG_DONTWAIT) == -1 ? 0 : 4; // nothing was written there
}

static void run(void)
{
    int status = 0;
    compile_begin();
    CHECK(compiles(1));
    const pid_t child = fork();
    if (child == 0) _exit(in_child());
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    with_each_compiler(run);
    return test_end();
}
