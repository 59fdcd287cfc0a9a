// Which point is visited next, and in which context.
// SPDX-License-Identifier: MIT
#include "run/block.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_MOST = 256 };
// A context takes new points for so long: with eight contexts each row is there within half a minute.
static const double block_s = 2;

void block_add(struct visits *b, struct task *t)
{
    size_t at = t->marks ? b->count : b->plain;
    mem_grow(&b->tasks, &b->room, b->count + 1, sizeof(struct task *));
    memmove(b->tasks + at + 1, b->tasks + at, (b->count - at) * sizeof(struct task *));
    b->tasks[at] = t;
    b->count++;
    if (t->marks) return;
    b->plain++;
    if (b->next > at) b->next++; // this context is with those that leave marks: it comes in the next
}

void block_wait(struct visits *b, struct task *t, double now)
{
    if (!b->waiting_count) b->waits = now;
    mem_grow(&b->waiting, &b->waiting_room, b->waiting_count + 1, sizeof(struct task *));
    b->waiting[b->waiting_count++] = t;
}

bool block_counts(struct visits *b, double now, bool several, bool over)
{
    const bool behind = !b->count && (several || b->waiting_count >= BLOCK_MOST || now - b->waits >= block_s);
    b->counting = b->waiting_count && (b->counting || behind || over);
    return b->counting;
}

bool block_wants_more(struct visits *b, double now, size_t most)
{
    if (!b->count) {
        b->filling = true;
        b->begun = now;
        b->next = 0;
        if (b->marked || b->round) b->context++; // what the last block left behind stays in its context
        b->marked = false;
        b->round = 0;
    }
    const bool early = now - b->begun < block_s || b->rounds > 1;
    b->filling = b->filling && early && b->count < most && b->count < BLOCK_MOST;
    return b->filling && b->next >= b->plain;
}

static void turn_round(struct task **tasks, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct task *t = tasks[i];
        tasks[i] = tasks[count - 1 - i];
        tasks[count - 1 - i] = t;
    }
}

// What was visited first comes last now: drift, and what a fresh context costs, fall on all alike.
static void next_round(struct visits *b)
{
    b->round++;
    if (b->rounds > 1) {
        turn_round(b->tasks, b->plain);
        turn_round(b->tasks + b->plain, b->count - b->plain);
    }
    if (b->round < b->rounds && !b->marked) return;
    b->round = 0;
    b->context++;
    b->marked = false;
}

struct task *block_next(struct visits *b)
{
    if (b->counting) {
        b->marked = true;
        return b->waiting[b->waiting_count - 1];
    }
    if (!b->count) return NULL;
    if (b->next >= b->count) {
        b->next = 0;
        b->filling = false;
        next_round(b);
    }
    b->marked |= b->tasks[b->next]->marks;
    return b->tasks[b->next++];
}

void block_remove(struct visits *b, struct task *t)
{
    size_t at = 0;
    if (b->waiting_count && b->waiting[b->waiting_count - 1] == t) b->waiting_count--;
    while (at < b->count && b->tasks[at] != t) at++;
    if (at == b->count) return;
    memmove(b->tasks + at, b->tasks + at + 1, (b->count - at - 1) * sizeof(struct task *));
    b->count--;
    if (at < b->plain) b->plain--;
    if (at < b->next) b->next--;
}

void task_free(struct task *t)
{
    if (t) arena_free(t->arena);
    free(t);
}

void block_release(struct visits *b)
{
    for (size_t i = 0; i < b->count; i++) task_free(b->tasks[i]);
    for (size_t i = 0; i < b->waiting_count; i++) task_free(b->waiting[i]);
    free(b->waiting);
    free(b->tasks);
    *b = (struct visits){.rounds = b->rounds};
}

bool block_astray(struct task *t, struct result *r)
{
    const bool bad = r->status == STATUS_TIMEOUT || r->status == STATUS_FAILED;
    const bool sampling = why_has(&r->why, WHY_SAMPLE_FAILED) || why_has(&r->why, WHY_WAS_SAMPLING);
    if (!t->job.stepwise && bad && job_launches(&t->job) > 1 && sampling) {
        t->job.stepwise = true;
        t->astray = *r;
        return true;
    }
    if (!t->job.stepwise) return false;
    if (bad) {
        why_note(&r->why, STEPWISE);
    } else {
        *r = t->astray;
        why_note(&r->why, STEPWISE_WELL);
    }
    return false;
}
