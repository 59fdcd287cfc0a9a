// lua/: a call has a second of processor time (most here less), whatever it does with it, and ends when it is asked to.
// SPDX-License-Identifier: MIT
#include "base/clock.h"
#include "unit/hostile.h"

// Few instructions that each read four megabytes: what ends them is the processor time, soon.
static void a_call_has_a_second_of_processor_time(void)
{
    static const char *const bodies[] = {"local s = (' '):rep(4000000) .. '1' while true do local x = s + 1 end",
        "local s = (' '):rep(4000000) .. '1' while true do local x = math.floor(s) end",
        "local s = (' '):rep(4000000) .. '1' while true do local x = -s end",
        "local s = ('\\0'):rep(4000000) local a, b = s .. '1', s .. '2' while true do local x = a < b end",
        "local t = {} for i = 1, 1000000 do t[i] = -i end while true do table.sort(t) end"};
    char over_time[128];
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const double before = clock_thread();
        const char *said = run(bodies[i], &(struct sandbox_limits){.seconds = i ? 0.1 : 0});
        snprintf(over_time, sizeof over_time,
            "keep: ran past its budget of 100000000 instructions or %s s of processor "
            "time",
            i ? "0.1" : "1");
        CHECK_TEXT(said, over_time);
        CHECK(clock_thread() - before < 4 || (printf("%s\n", bodies[i]), false)); // valgrind's and others' share too
    }
}

// Whoever asks for an end gets it in the middle of a call, and all later calls fail at once until nobody asks.
static bool asked;
static bool is_asked(void) { return asked; }

static void a_call_ends_when_it_is_asked_to(void)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){0});
    struct expr *endless = expr_new(box, "(function() while true do end end)()", (struct where){0}, &d);
    struct expr *good = expr_new(box, "1 + 1", (struct where){0}, &d);
    struct value v;
    sandbox_stop(box, is_asked);
    CHECK(expr_eval(good, NULL, memory, &v, &d) && v.i == 2);
    asked = true;
    CHECK(!expr_eval(endless, NULL, memory, &v, &d));
    CHECK_TEXT(diags_first(&d), "stopped by a signal");
    diags_clear(&d);
    CHECK(!expr_eval(good, NULL, memory, &v, &d));
    sandbox_stop(box, NULL);
    CHECK(expr_eval(good, NULL, memory, &v, &d) && v.i == 2);
    expr_free(endless);
    expr_free(good);
    sandbox_free(box);
    diags_clear(&d);
}

int main(void)
{
    memory = arena_new();
    snprintf(path, sizeof path, "/tmp/gpuexp-sandbox-time.%ld.lua", (long)getpid());
    a_call_has_a_second_of_processor_time();
    a_call_ends_when_it_is_asked_to();
    unlink(path);
    arena_free(memory);
    return test_end();
}
