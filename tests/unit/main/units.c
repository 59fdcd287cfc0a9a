// All units in one program: called unit_NAME it is the test NAME (tests/CMakeLists.txt makes the links).
// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#define UNIT(name) int unit_##name(void);
#define UNIT_OF_ARGUMENTS(name) int unit_##name(int argc, char **argv);
#include "units.h"
#undef UNIT
#undef UNIT_OF_ARGUMENTS

static const struct {
    const char *name;
    int (*run)(void);
    int (*run_with)(int argc, char **argv);
} units[] = {
#define UNIT(name) {"unit_" #name, unit_##name, NULL},
#define UNIT_OF_ARGUMENTS(name) {"unit_" #name, NULL, unit_##name},
#include "units.h"
};

int main(int argc, char **argv)
{
    const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL, *called = slash ? slash + 1 : argc > 0 ? argv[0] : "";
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i].name, called) == 0) return units[i].run ? units[i].run() : units[i].run_with(argc, argv);
    fprintf(stderr, "no test is called %s\n", called);
    return 2;
}
