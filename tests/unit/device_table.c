// From a spec to its backend: every kind by its name, `auto` to the first that is there, with a message where that is
// the simulator.
// SPDX-License-Identifier: MIT
#include "device/device.h"
#include "device/profiles.h"
#include "test.h"

static const char *kind(const char *spec, char resolved[DEVICE_SPEC], char note[256], struct diags *d)
{
    const struct device_ops *ops = device_find(spec, resolved, note, d);
    return ops ? ops->kind : "";
}

static const char *two_gpus(const char *name) { return strcmp(name, "CUDA_VISIBLE_DEVICES") == 0 ? "2,5" : NULL; }
static const char *nothing(const char *name) { return (void)name, NULL; }

// What the folders above ask instead of knowing a backend by its name.
static void a_backend_says_what_it_is(void)
{
    const char *list = NULL;
    CHECK(device_kind("cuda:3") == &device_cuda && device_kind("sim") == &device_sim);
    CHECK(!device_kind("auto") && !device_kind("cudas:3"));
    CHECK(device_all("cuda:all") == &device_cuda);
    CHECK(!device_all("cuda:0") && !device_all("sim:all") && !device_all("auto") && !device_all("cuda"));
    CHECK(device_simulator() == &device_sim);
    CHECK(device_visible(two_gpus, &list) == &device_cuda);
    CHECK_TEXT(list, "2,5");
    CHECK(!device_visible(nothing, &list));
    for (const struct profile *p = profiles; p->name; p++)
        CHECK(strstr(device_sim.forms, p->name)); // said in complaints
}

int main(void)
{
    struct diags d = {0};
    char resolved[DEVICE_SPEC], note[256], why[256] = "", listed[DEVICE_SPEC], longest[200];
    CHECK_TEXT(kind("sim:a100", resolved, note, &d), "sim");
    CHECK_TEXT(resolved, "sim:a100");
    CHECK_TEXT(note, "");
    CHECK_TEXT(kind("cuda", resolved, note, &d), "cuda");
    CHECK_TEXT(resolved, "cuda:0");
    CHECK_TEXT(kind("script:x/y", resolved, note, &d), "script");
    CHECK_INT(d.count, 0);
    CHECK_TEXT(kind("simulator", resolved, note, &d), "");
    CHECK_TEXT(diags_first(&d), "unknown device `simulator`; there are auto, cuda, sim, script");
    memset(longest, 'x', sizeof longest - 1);
    memcpy(longest, "script:", 7);
    longest[sizeof longest - 1] = '\0';
    CHECK_TEXT(kind(longest, resolved, note, &d), "");
    CHECK_INT(d.count, 2);
    diags_clear(&d);
    const bool gpu = device_table[0]->count(why) > 0;
    CHECK_TEXT(kind("auto", resolved, note, &d), gpu ? "cuda" : "sim");
    CHECK_TEXT(resolved, gpu ? "cuda:0" : "sim");
    CHECK(gpu ? !*note : *note && strncmp(note, why, 20) == 0);
    printf("%s\n", note);
    for (size_t i = 0; device_table[i]; i++) // what is listed can be opened by that name
        for (int k = 0; k < device_table[i]->count(why); k++) {
            device_table[i]->spec(k, listed);
            struct device *dev = device_table[i]->open(listed, &d);
            CHECK(dev);
            if (dev) device_table[i]->close(dev);
        }
    CHECK_INT(d.count, 0);
    diags_clear(&d);
    a_backend_says_what_it_is();
    return test_end();
}
