// Calls and returns. Each lane keeps where it was called from. Where a function may come to itself again, a call puts
// the caller's registers on a stack of the lane, and moves the lane's local variables up.
// SPDX-License-Identifier: MIT
#include "base/arena.h"
#include "sim/core/fault.h"
#include "sim/core/flow.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STACK ((size_t)1 << 20) // bytes of registers that one lane's calls put aside

static void move_frames(struct warp *w, uint32_t mask, const struct move *moves, int count)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        unsigned char *frame = w->frame + (size_t)w->block->frame_stride * (size_t)__builtin_ctz(m);
        for (int k = 0; k < count; k++) memmove(frame + moves[k].to, frame + moves[k].from, moves[k].size);
    }
}

// One lane's value of a register, to or from the stack.
static void transfer(struct warp *w, uint32_t slot, uint8_t size, uint32_t lane, unsigned char *at, bool out)
{
    unsigned char *lanes = SLOT(w, slot);
    if (!size) {
        u32 *mask = SLOT(w, slot);
        if (out) *at = *mask >> lane & 1;
        else *mask = (*mask & ~(1u << lane)) | (uint32_t)(*at & 1) << lane;
    } else if (out) memcpy(at, lanes + size * lane, size);
    else memcpy(lanes + size * lane, at, size);
}

// False after a fault: the calls go too deep.
static bool push(struct warp *w, const struct inst *i, uint32_t mask)
{
    const struct call *c = i->call;
    for (uint32_t m = mask; m && c->saved; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        struct call_stack *s = &w->stacks[lane];
        u32 *depth = SLOT(w, c->depth_slot);
        if (s->used + c->saved->bytes > MOST_STACK || depth[lane] + c->depth_step > c->depth_most) {
            fault_set(w, i, lane, SIM_ASSERT, "calls go deeper than the stack of a thread");
            return false;
        }
        mem_grow(&s->bytes, &s->room, s->used + c->saved->bytes, 1);
        for (uint32_t k = 0; k < c->saved->count; k++)
            transfer(w, c->saved->slots[k].slot, c->saved->slots[k].size, lane, s->bytes + s->used + 8 * k, true);
        s->used += c->saved->bytes;
        depth[lane] += c->depth_step;
    }
    return true;
}

static void pop(struct warp *w, const struct call *c, uint32_t mask)
{
    for (uint32_t m = mask; m && c->saved; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        struct call_stack *s = &w->stacks[lane];
        s->used -= c->saved->bytes;
        for (uint32_t k = 0; k < c->saved->count; k++)
            transfer(w, c->saved->slots[k].slot, c->saved->slots[k].size, lane, s->bytes + s->used + 8 * k, false);
        ((u32 *)SLOT(w, c->depth_slot))[lane] -= c->depth_step;
    }
}

static HANDLER(call)
{
    const uint32_t rest = w->active & ~mask;
    u32 *back = SLOT(w, i->call->return_slot);
    if (!push(w, i, mask)) return NULL;
    w->block->stacked_calls += i->call->saved != NULL;
    move_frames(w, mask, i->call->args, i->call->arg_count);
    for (int l = 0; l < LANES; l++)
        if (mask >> l & 1) back[l] = (uint32_t)(i + 1 - w->block->code);
    if (!rest) return i->call->entry;
    flow_add(w, i->call->entry, mask);
    flow_add(w, i + 1, rest);
    return flow_next(w);
}

static const struct call_target *target_of(const struct call *c, uint64_t address)
{
    for (size_t k = 0; k < c->target_count; k++)
        if (c->targets[k].address == address) return &c->targets[k];
    return NULL;
}

// Lanes that call the same function go together.
static HANDLER(call_indirect)
{
    const struct call *c = i->call;
    const u64 *address = SLOT(w, i->r[0]);
    flow_add(w, i + 1, w->active & ~mask);
    w->block->stacked_calls++;
    for (uint32_t left = mask; left;) {
        const uint32_t lane = (uint32_t)__builtin_ctz(left);
        const struct call_target *t = target_of(c, address[lane]);
        uint32_t same = 0;
        if (!t)
            return fault_set(w, i, lane, SIM_ASSERT,
                "a call through a pointer that is no function of this kernel's (0x%llx)",
                (unsigned long long)address[lane]);
        for (uint32_t l = 0; l < LANES; l++) same |= (uint32_t)(address[l] == address[lane]) << l;
        same &= left;
        left &= ~same;
        if (!push(w, i, same)) return NULL;
        for (int k = 0; k < c->arg_count && k < t->formal_count; k++) {
            struct move m = c->args[k];
            m.to = t->formals[k].to;
            if (t->formals[k].size < m.size) m.size = t->formals[k].size;
            move_frames(w, same, &m, 1);
        }
        u32 *back = SLOT(w, t->return_slot);
        for (int l = 0; l < LANES; l++)
            if (same >> l & 1) back[l] = (uint32_t)(i + 1 - w->block->code);
        flow_add(w, t->entry, same);
    }
    return flow_next(w);
}

// A function's ret: each lane goes back to where it was called from, with the results.
static HANDLER(give_back)
{
    const u32 *back = SLOT(w, i->r[0]);
    const uint32_t rest = w->active & ~mask;
    for (uint32_t left = mask; left;) {
        const uint32_t to = back[__builtin_ctz(left)];
        uint32_t same = 0;
        for (int l = 0; l < LANES; l++) same |= (uint32_t)(back[l] == to) << l;
        same &= left;
        left &= ~same;
        const struct inst *at = w->block->code + to;
        const struct call *c = at[-1].call;
        for (int k = 0; k < c->result_count; k++) {
            struct move m = c->results[k];
            if (c->targets) m.from = i->r[1];
            move_frames(w, same, &m, 1);
        }
        pop(w, c, same);
        if (same == w->active) return at;
        flow_add(w, at, same);
    }
    flow_add(w, i + 1, rest);
    return flow_next(w);
}

static HANDLER(call_nowhere)
{
    return fault_set(w, i, (uint32_t)__builtin_ctz(mask), SIM_ASSERT,
        "calls `%s`, which this source declares and does not define", i->call->missing);
}

const struct op calls_ops[] = {{"call.nowhere", NULL, call_nowhere}, {"call", NULL, call}, {"ret", NULL, give_back},
    {"call.indirect", NULL, call_indirect}, {NULL, NULL, NULL}};
