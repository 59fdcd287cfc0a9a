// Compiles ahead of need: a few threads take sources from a queue and put the code into the cache, where compile_code
// finds it.
// SPDX-License-Identifier: MIT
#include "compile/compile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct compile_order {
    char *source, *path, *arch;
    int maxregs;
    struct compile_order *next;
};
struct compile_ahead {
    pthread_mutex_t lock;
    pthread_cond_t more;
    struct compile_order *first, **last;
    pthread_t *threads;
    int count;
    bool ending;
};

static char *copy(const char *s) { return s ? memcpy(mem_alloc(strlen(s) + 1), s, strlen(s) + 1) : NULL; }

static void order_free(struct compile_order *o)
{
    free(o->source);
    free(o->path);
    free(o->arch);
    free(o);
}

static struct compile_order *next_order(struct compile_ahead *a)
{
    struct compile_order *o = NULL;
    pthread_mutex_lock(&a->lock);
    while (!a->first && !a->ending) pthread_cond_wait(&a->more, &a->lock);
    if (!a->ending) {
        o = a->first;
        a->first = o->next;
        if (!a->first) a->last = &a->first;
    }
    pthread_mutex_unlock(&a->lock);
    return o;
}

static void *work(void *context)
{
    struct compile_ahead *a = context;
    for (struct compile_order *o; (o = next_order(a));) {
        struct compile_options options = {o->arch, o->maxregs};
        struct diags unsaid = {0}; // the point that needs it gets the same complaint
        struct code *code;
        if (compile_code(o->source, o->path, &options, &code, &unsaid)) code_free(code);
        diags_clear(&unsaid);
        order_free(o);
    }
    return NULL;
}

struct compile_ahead *compile_ahead_new(int threads)
{
    struct compile_ahead *a = mem_alloc(sizeof *a);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->more, NULL);
    a->last = &a->first;
    a->threads = mem_alloc((size_t)(threads > 0 ? threads : 1) * sizeof *a->threads);
    for (int i = 0; i < threads; i++) // with fewer threads it is only slower
        if (pthread_create(&a->threads[a->count], NULL, work, a) == 0) a->count++;
    return a;
}

void compile_ahead_add(struct compile_ahead *a, char *source, const char *path, const struct compile_options *options)
{
    struct compile_order *o = mem_alloc(sizeof *o);
    *o = (struct compile_order){source, copy(path), copy(options->arch), options->maxregs, NULL};
    pthread_mutex_lock(&a->lock);
    *a->last = o;
    a->last = &o->next;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->lock);
}

void compile_ahead_free(struct compile_ahead *a)
{
    if (!a) return;
    pthread_mutex_lock(&a->lock);
    a->ending = true;
    pthread_cond_broadcast(&a->more);
    pthread_mutex_unlock(&a->lock);
    for (int i = 0; i < a->count; i++) pthread_join(a->threads[i], NULL);
    for (struct compile_order *o = a->first, *next; o; o = next) {
        next = o->next;
        order_free(o);
    }
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->more);
    free(a->threads);
    free(a);
}
