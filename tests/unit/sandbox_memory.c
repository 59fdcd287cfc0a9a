// lua/: memory is paid for with instructions. One instruction can ask for megabytes, or for a collection of all that a
// script holds: a script that lives off that must come to its end as soon as one that counts.
// SPDX-License-Identifier: MIT
#include "unit/hostile.h"

// How often `step` is begun before the budget ends it, after `before`.
static int steps_done(const char *before, const char *step, uint64_t instructions)
{
    struct diags d = {0};
    struct sandbox *box = sandbox_new(&(struct sandbox_limits){.instructions = instructions, .memory = 64 << 20});
    FILE *f = fopen(path, "w");
    fprintf(f,
        "local n = 0 return {keep = function() if n > 0 then return false, tostring(n) end\n%s\n"
        "while true do n = n + 1 %s end end}",
        before, step);
    fclose(f);
    struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
    const char *name = "n", *reason = "";
    const struct value n = value_int(7);
    bool kept;
    CHECK(s != NULL);
    int shape = script_shape(s, &name, 1);
    CHECK(!script_keep(s, shape, &n, &kept, &reason, &d));
    CHECK(strstr(diags_first(&d), "ran past its budget") != NULL);
    diags_clear(&d);
    CHECK(script_keep(s, shape, &n, &kept, &reason, &d));
    const int done = reason ? atoi(reason) : 0;
    script_free(s);
    sandbox_free(box);
    diags_clear(&d);
    return done;
}

// Sixteen bytes are an instruction.
static void what_is_taken_is_paid_for(void)
{
    int done = steps_done("local s = ('x'):rep(64):rep(64)", "local t = s .. n", 1000000);
    CHECK(done > 1000 && done < 1000000 / 256);
    done = steps_done("local s = ('x'):rep(512):rep(512)", "local t = s .. n", 1000000);
    CHECK(done > 10 && done < 1000000 / 16384);
    CHECK(steps_done("", "local t = n", 1000000) > 100000); // taking nothing costs nothing
}

// A refusal makes Lua collect its garbage first, which costs as much as there is: here 32 MiB, a fifth of the budget.
static void what_is_refused_is_paid_for_by_what_is_held(void)
{
    static const char hold[] = "local k, held = ('x'):rep(1024), {} for i = 1, 16 do held[i] = k:rep(2048) .. i end "
                               "local s = k:rep(2100)";
    const int done = steps_done(hold, "pcall(function() return s .. s end)", 16000000);
    CHECK(done > 0 && done <= 3);
    // With nothing held it may be tried more often.
    CHECK(steps_done("local s = ('y'):rep(1024):rep(2100)", "pcall(function() return s .. s end)", 16000000) > 10);
}

// What a hook hands out is copied: a text that stands in many places is paid for in each.
static void what_comes_out_is_paid_for(void)
{
    struct diags d = {0};
    const char *name = "n";
    for (int many = 0; many < 2; many++) {
        struct sandbox *box = sandbox_new(&(struct sandbox_limits){.instructions = 1000000, .memory = 64 << 20});
        FILE *f = fopen(path, "w");
        fprintf(f,
            "return {keep = function() return true end, done = function() local s, lines = ('x'):rep(60000), {} "
            "for i = 1, %d do lines[i] = s end return {lines = lines} end}",
            many ? 600 : 20);
        fclose(f);
        struct script *s = script_new(box, path, NULL, 0, (struct where){0}, &d);
        struct script_outcome o;
        CHECK(s && script_done(s, script_shape(s, &name, 1), NULL, 0, &o, memory, &d) == !many);
        CHECK(!many || strstr(diags_first(&d), "ran past its budget") != NULL);
        script_free(s);
        sandbox_free(box);
        diags_clear(&d);
    }
}

int main(void)
{
    memory = arena_new();
    snprintf(path, sizeof path, "/tmp/gpuexp-memory-%ld.lua", (long)getpid());
    what_is_taken_is_paid_for();
    what_is_refused_is_paid_for_by_what_is_held();
    what_comes_out_is_paid_for();
    unlink(path);
    arena_free(memory);
    return test_end();
}
