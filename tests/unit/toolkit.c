// base/toolkit.h: the Toolkit's parts are found where people have them, what the user names before all else.
// SPDX-License-Identifier: MIT
#include "base/toolkit.h"
#include "unit/test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char top[] = "/tmp/gpuexp-toolkit.XXXXXX";

static const char *in(const char *path)
{
    static char text[4][PATH_MAX];
    static int next;
    char *to = text[next++ % 4];
    snprintf(to, PATH_MAX, "%s/%s", top, path);
    return to;
}

static void put(const char *path)
{
    char command[3 * PATH_MAX];
    snprintf(command, sizeof command, "PATH=/usr/bin:/bin; mkdir -p $(dirname %s) && touch %s && chmod 755 %s",
        in(path), in(path), in(path));
    CHECK(system(command) == 0);
}

static void forget(void)
{
    static const char *const names[] = {"CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDATOOLKIT_HOME", "NVHPC_CUDA_HOME",
        "CONDA_PREFIX", "VIRTUAL_ENV", "HOME", "PATH"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unsetenv(names[i]);
}

// The place of `path` among the libraries ("invented": no machine has one), -1: it is not there.
static int at(const char *path)
{
    struct arena *a = arena_new();
    int found = -1, i = 0;
    for (const char *const *file = toolkit_libraries("invented", a); *file; file++, i++)
        if (found < 0 && strcmp(*file, in(path)) == 0) found = i;
    arena_free(a);
    return found;
}

static void a_variable_leads_to_it(void)
{
    static const struct {
        const char *variable, *value, *file;
    } known[] = {
        {"CUDA_HOME", "home", "home/lib64/libinvented.so.13"},
        {"CUDA_PATH", "path", "path/targets/x86_64-linux/lib/libinvented.so.12"},
        {"CUDA_ROOT", "root", "root/extras/CUPTI/lib64/libinvented.so"},
        {"CUDATOOLKIT_HOME", "module", "module/lib64/libinvented.so.12"},
        {"CONDA_PREFIX", "conda", "conda/lib/libinvented.so.12"},
        {"VIRTUAL_ENV", "venv", "venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libinvented.so.12"},
        {"HOME", "user", "user/.local/lib/python3.12/site-packages/nvidia/cu13/lib/libinvented.so.13"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        put(known[i].file);
        CHECK_INT(at(known[i].file), -1);
        setenv(known[i].variable, in(known[i].value), 1);
        CHECK(at(known[i].file) >= 0);
        unsetenv(known[i].variable);
    }
    put("bin-elsewhere/none");
    put("tool/bin/nvcc");
    put("tool/lib64/libinvented.so.13");
    CHECK(symlink(in("tool/bin/nvcc"), in("bin-elsewhere/nvcc")) == 0);
    setenv("PATH", in("bin-elsewhere"), 1);
    CHECK(at("tool/lib64/libinvented.so.13") >= 0); // above the program that the link leads to
    unsetenv("PATH");
}

static void what_the_user_names_is_first_and_then_the_newest(void)
{
    setenv("VIRTUAL_ENV", in("venv"), 1);
    setenv("CUDA_HOME", in("home"), 1);
    put("home/lib64/libinvented.so.12");
    put("venv/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib/libinvented.so.12");
    CHECK_INT(at("home/lib64/libinvented.so.13"), 0);
    CHECK_INT(at("home/lib64/libinvented.so.12"), 1);
    CHECK_INT(at("../libinvented.so.13"), -1);
    const int newer = at("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libinvented.so.12"),
              older = at("venv/lib/python3.9/site-packages/nvidia/cuda_nvrtc/lib/libinvented.so.12");
    CHECK(1 < newer && newer < older);
    struct arena *a = arena_new();
    const char *const *file = toolkit_libraries("invented", a);
    CHECK_TEXT(file[2], "libinvented.so.13"); // by its name, as the loader knows it
    arena_free(a);
}

static void headers_are_those_of_the_library(void)
{
    char folder[PATH_MAX], want[PATH_MAX];
    put("home/include/cuda_fp16.h");
    put("home/include/cccl/cuda/std/cstdint");
    CHECK(toolkit_header(in("home/lib64/libinvented.so.13"), "cuda_fp16.h", folder));
    CHECK_TEXT(folder, realpath(in("home/include"), want));
    CHECK(toolkit_header(in("home/lib64/libinvented.so.13"), "cuda/std/cstdint", folder));
    CHECK_TEXT(folder, realpath(in("home/include/cccl"), want));
    put("venv/lib/python3.11/site-packages/nvidia/cuda_runtime/include/cuda_fp16.h");
    CHECK(toolkit_header(in("venv/lib/python3.11/site-packages/nvidia/cuda_nvrtc/lib/libinvented.so.12"), "cuda_fp16.h",
        folder));
    CHECK(!toolkit_header(in("conda/lib/libinvented.so.12"), "cuda_none.h", folder));
    CHECK_TEXT(folder, "");
}

static void a_program_is_found_in_the_same_places(void)
{
    char path[PATH_MAX];
    CHECK(!toolkit_program("invented", path));
    put("home/bin/invented");
    put("first/invented");
    setenv("PATH", in("first"), 1);
    CHECK(toolkit_program("invented", path));
    CHECK_TEXT(path, in("home/bin/invented"));
    unsetenv("CUDA_HOME");
    CHECK(toolkit_program("invented", path));
    CHECK_TEXT(path, in("first/invented"));
}

int main(void)
{
    char command[128];
    CHECK(mkdtemp(top) != NULL);
    snprintf(command, sizeof command, "PATH=/usr/bin:/bin rm -rf %s", top);
    forget();
    a_variable_leads_to_it();
    what_the_user_names_is_first_and_then_the_newest();
    headers_are_those_of_the_library();
    a_program_is_found_in_the_same_places();
    CHECK(system(command) == 0);
    return test_end();
}
