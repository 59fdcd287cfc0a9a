// compile/nvrtc.h: what NVRTC is is not asked again while it is the same file, found in the same way; and code
// never gets the name of another compiler than the one that made it.
// SPDX-License-Identifier: MIT
#include "compile/compile.h"
#include "compile/nvrtc.h"
#include "unit/test.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/gpuexp-facts.XXXXXX", library[PATH_MAX];

static void write_library(const char *text)
{
    FILE *f = fopen(library, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static struct nvrtc_facts invented(void)
{
    struct nvrtc_facts f = {.version = "nvrtc 0.0.1", .archs = {75, 80, 90}, .arch_count = 3};
    snprintf(f.library, sizeof f.library, "%s", library);
    nvrtc_facts_identify(&f);
    return f;
}

static bool recalls(const char *version)
{
    struct nvrtc_facts f;
    const bool good = nvrtc_facts_recall(&f);
    CHECK_TEXT(f.version, good ? version : "");
    CHECK_INT(f.arch_count, good ? 3 : 0);
    return good;
}

static void it_holds_for_that_file_found_in_that_way(void)
{
    write_library("one");
    CHECK(!recalls(""));
    struct nvrtc_facts f = invented();
    nvrtc_facts_keep(&f);
    CHECK(recalls("nvrtc 0.0.1"));
    setenv("LD_LIBRARY_PATH", "/elsewhere", 1);
    CHECK(!recalls(""));
    unsetenv("LD_LIBRARY_PATH");
    setenv("CUDA_HOME", folder, 1); // whose library would be taken now
    CHECK(!recalls(""));
    unsetenv("CUDA_HOME");
    CHECK(recalls("nvrtc 0.0.1"));
    unlink(library);
    CHECK(!recalls(""));
    write_library("another");
    CHECK(!recalls(""));
    f = invented();
    nvrtc_facts_keep(&f);
    CHECK(recalls("nvrtc 0.0.1"));
    nvrtc_facts_forget();
    CHECK(!recalls(""));
}

// In a process of its own, since a process asks once: the compiler's name, and what comes of compiling.
static void in_a_process(char name[64], char said[256])
{
    int ends[2];
    char both[2][256] = {"", ""};
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        struct diags d = {0};
        struct code *code = NULL;
        const char *c = compile_compiler(&d);
        snprintf(both[0], sizeof both[0], "%s", c ? c : "none");
        if (c) compile_code("__global__ void k(int *p) { *p = 1; }", "k.cu", &(struct compile_options){0}, &code, &d);
        snprintf(both[1], sizeof both[1], "%s", diags_first(&d));
        _exit(write(ends[1], both, sizeof both) == sizeof both ? 0 : 1);
    }
    int status = 1;
    CHECK(read(ends[0], both, sizeof both) == sizeof both);
    CHECK(waitpid(child, &status, 0) == child && status == 0);
    close(ends[0]);
    close(ends[1]);
    snprintf(name, 64, "%.63s", both[0]);
    snprintf(said, 256, "%s", both[1]);
}

static void code_has_the_name_of_its_compiler(void)
{
    char real[64], name[64], said[256], want[256];
    setenv("GPUEXP_COMPILER", "nvrtc", 1);
    in_a_process(real, said);
    if (strncmp(real, "nvrtc", 5) != 0) return; // no NVRTC here
    CHECK_TEXT(said, "");
    struct nvrtc_facts f;
    CHECK(nvrtc_facts_recall(&f)); // that process has kept them
    CHECK_TEXT(f.version, real);
    in_a_process(name, said);
    CHECK_TEXT(name, real);
    write_library("it was this one");
    f = invented();
    nvrtc_facts_keep(&f);
    in_a_process(name, said);
    CHECK_TEXT(name, "nvrtc 0.0.1"); // so nothing was loaded to know it
    snprintf(want, sizeof want, "the compiler is %s by now, it was nvrtc 0.0.1", real);
    CHECK_TEXT(said, want);
    in_a_process(name, said);
    CHECK_TEXT(name, real);
    CHECK_TEXT(said, "");
}

int main(void)
{
    char command[128];
    CHECK(mkdtemp(folder) != NULL);
    setenv("XDG_CACHE_HOME", folder, 1);
    unsetenv("LD_LIBRARY_PATH");
    unsetenv("CUDA_HOME");
    snprintf(library, sizeof library, "%s/lib64", folder);
    CHECK(mkdir(library, 0700) == 0);
    snprintf(library, sizeof library, "%s/lib64/libnvrtc.so", folder);
    it_holds_for_that_file_found_in_that_way();
    code_has_the_name_of_its_compiler();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(system(command) == 0);
    return test_end();
}
