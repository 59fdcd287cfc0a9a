// The wording of faults.
// SPDX-License-Identifier: MIT
#include "sim/core/fault.h"

#include "sass/blocks.h"
#include "sim/core/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fault_place(const struct sim_kernel *k, const struct inst *i, char text[FAULT_PLACE])
{
    size_t at = 0;
    text[0] = '\0';
    if (i->line > 0) at = (size_t)snprintf(text, FAULT_PLACE, " at line %d", (int)i->line);
    if (!k->machine) return;
    size_t low = 0, behind = k->machine->count;
    while (behind - low > 1) {
        const size_t n = (low + behind) / 2;
        if (k->places[n] <= i) low = n;
        else behind = n;
    }
    const struct sass_inst *is = &k->machine->insts[low];
    snprintf(text + at, FAULT_PLACE - at, " (%s at 0x%x)", sass_name((enum sass_op)is->op), (unsigned)is->at);
}

const struct inst *fault_set(struct warp *w, const struct inst *i, uint32_t lane, enum sim_fault_kind kind,
    const char *fmt, ...)
{
    struct sim_fault *f = &w->block->fault;
    if (f->kind != SIM_OK) return NULL;
    *f = (struct sim_fault){.kind = kind, .line = i->line, .warp = w->index, .lane = lane};
    memcpy(f->block, w->block->id, sizeof f->block);
    char where[160], line[FAULT_PLACE];
    fault_place(w->block->kernel, i, line);
    snprintf(where, sizeof where, ",%s by block (%u,%u,%u) warp %u lane %u", line, f->block[0], f->block[1],
        f->block[2], f->warp, lane);
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(f->what, sizeof f->what, fmt, args);
    va_end(args);
    const size_t room = sizeof f->what - strlen(where) - 1;
    const size_t at = n < 0 ? 0 : (size_t)n < room ? (size_t)n : room;
    memcpy(f->what + at, where, strlen(where) + 1);
    return NULL;
}

static const char *verb(const struct inst *i)
{
    return i->memory->kind == ACCESS_LOAD ? "load" : i->memory->kind == ACCESS_STORE ? "store" : "atomic";
}

const struct inst *fault_locked(struct warp *w, const struct inst *i, uint32_t lane, const char *what, uint64_t address,
    uint32_t bytes)
{
    const struct allocation *a = memory_find(&w->block->sim->memory, address);
    if (!a || !a->locked) return i;
    const unsigned long long at = address - a->lo;
    if (a->element <= 1)
        return fault_set(w, i, lane, SIM_LOCKED, "%s of %u bytes to byte %llu of `%s`, which is `access: read`", what,
            bytes, at, a->name);
    return fault_set(w, i, lane, SIM_LOCKED, "%s of %u bytes to `%s[%llu]`, which is `access: read`", what, bytes,
        a->name, at / a->element);
}

static const struct inst *outside(struct warp *w, const struct inst *i, uint32_t lane, uint64_t address, uint32_t bytes)
{
    bool released;
    const struct allocation *a = memory_find(&w->block->sim->memory, address);
    if (!a) a = memory_near(&w->block->sim->memory, address, &released);
    else released = false;
    if (a && a->pitch && address + bytes <= a->hi)
        return fault_set(w, i, lane, SIM_OUT_OF_BOUNDS,
            "out-of-bounds %s of %u bytes at byte %llu of the padding behind row %llu of `%s`: a row has %llu bytes",
            verb(i), bytes, (unsigned long long)((address - a->lo) % a->pitch - a->row),
            (unsigned long long)((address - a->lo) / a->pitch), a->name, (unsigned long long)a->row);
    if (!a && address < 4096)
        return fault_set(w, i, lane, SIM_UNALLOCATED, "%s of %u bytes through a null pointer (address %llu)", verb(i),
            bytes, (unsigned long long)address);
    if (!a)
        return fault_set(w, i, lane, SIM_UNALLOCATED, "%s of %u bytes at address 0x%llx, which belongs to no buffer",
            verb(i), bytes, (unsigned long long)address);
    if (released)
        return fault_set(w, i, lane, SIM_UNALLOCATED, "%s of %u bytes at byte %llu of `%s`, which has been released",
            verb(i), bytes, (unsigned long long)(address - a->lo), a->name);
    const unsigned long long size = a->hi - a->lo;
    if (address < a->lo)
        return fault_set(w, i, lane, SIM_OUT_OF_BOUNDS,
            "out-of-bounds %s of %u bytes, %llu bytes before the start of `%s` (%llu bytes)", verb(i), bytes,
            (unsigned long long)(a->lo - address), a->name, size);
    const unsigned long long at = address - a->lo;
    char element[96] = "";
    if (a->element > 1)
        snprintf(element, sizeof element, ": element %llu, and it has %llu", at / a->element, size / a->element);
    return fault_set(w, i, lane, SIM_OUT_OF_BOUNDS,
        "out-of-bounds %s of %u bytes past the end of `%s`, at byte %llu of %llu%s", verb(i), bytes, a->name, at, size,
        element);
}

const struct inst *fault_access(struct warp *w, const struct inst *i, uint32_t lane, uint64_t address, uint32_t bytes,
    enum space space)
{
    static const char *const names[] = {"", "shared ", "local ", "parameter "};
    const bool apart = space == SPACE_SHARED || space == SPACE_LOCAL || space == SPACE_PARAM;
    if (address & (bytes - 1)) {
        const struct allocation *a = apart ? NULL : memory_find(&w->block->sim->memory, address);
        if (a)
            return fault_set(w, i, lane, SIM_MISALIGNED, "misaligned %s of %u bytes at byte %llu of `%s`", verb(i),
                bytes, (unsigned long long)(address - a->lo), a->name);
        if (apart)
            return fault_set(w, i, lane, SIM_MISALIGNED, "misaligned %s%s of %u bytes at byte %llu", names[space],
                verb(i), bytes, (unsigned long long)address);
    }
    if (!apart && i->memory->kind != ACCESS_LOAD && !fault_locked(w, i, lane, verb(i), address, bytes)) return NULL;
    if (!apart) return outside(w, i, lane, address, bytes);
    const struct block *b = w->block;
    const uint32_t size = space == SPACE_SHARED ? b->shared_size - b->shared_from
        : space == SPACE_LOCAL                  ? b->local_size
                                                : b->param_size;
    if (space == SPACE_SHARED) address = (uint32_t)(address - b->shared_from);
    fault_set(w, i, lane, SIM_OUT_OF_BOUNDS, "out-of-bounds %s%s of %u bytes at byte %llu of %u", names[space], verb(i),
        bytes, (unsigned long long)address, size);
    w->block->fault.of_shared = space == SPACE_SHARED;
    return NULL;
}

const struct inst *fault_trap(struct warp *w, const struct inst *i, uint32_t lanes)
{
    fault_set(w, i, (uint32_t)__builtin_ctz(lanes), SIM_ASSERT, "the kernel executed `trap`");
    w->block->fault.trapped = true;
    return NULL;
}

void fault_add_cause(struct sim_fault *f, const struct sim_kernel *k, const struct sim_launch *l)
{
    const size_t at = strlen(f->what);
    if (f->kind == SIM_ASSERT && k->meets_grid && !l->cooperative)
        snprintf(f->what + at, sizeof f->what - at, "; to wait for the whole grid takes `cooperative: true`");
    else if (f->trapped) // of a null pointer the compiler makes one
        snprintf(f->what + at, sizeof f->what - at, "; the source asks for it there, or uses a null pointer");
    if (f->kind == SIM_OUT_OF_BOUNDS && k->takes_dynamic && !l->dynamic_shared && f->of_shared)
        snprintf(f->what + at, sizeof f->what - at,
            "; of `extern __shared__` the launch gives nothing: `shared: BYTES` in the kernel's description does");
}
