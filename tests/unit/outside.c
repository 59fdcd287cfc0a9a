// base/outside: what answers a question may take all memory, never end, crash or be killed; it costs that one answer.
// SPDX-License-Identifier: MIT
#include "base/outside.h"
#include "base/arena.h"
#include "unit/test.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int loaded;
static void load(void) { loaded = 41; }

static void *volatile last; // or a compiler might see that nobody needs that memory

static void reply(const char *question, size_t size, struct str *out)
{
    if (strcmp(question, "crash") == 0) raise(SIGSEGV);
    if (strcmp(question, "leave") == 0) _exit(3);
    for (volatile unsigned long i = 0; strcmp(question, "spin") == 0; i++) {}
    while (strcmp(question, "eat") == 0) {
        char *p = malloc(1 << 20);
        if (!p) abort(); // as a library does that has no memory
        last = memset(p, 1, 1 << 20);
    }
    if (strcmp(question, "kill") == 0) kill(getppid(), SIGKILL); // the one that waits for this one's end
    if (strcmp(question, "kill") == 0) pause();
    str_addf(out, "%d %zu %s", ++loaded, size, size < 100 ? question : "long");
}

static const struct outside_work work = {load, reply, {(size_t)64 << 20, 1}, false};

static int *loads; // seen by all processes
static void load_late(void) { ++*loads, load(); }

// What is asked nothing loads nothing; else it loads once.
static void a_late_one_loads_for_the_first_question(void)
{
    static const struct outside_work late = {load_late, reply, {(size_t)64 << 20, 1}, true};
    loads = mmap(NULL, sizeof *loads, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct outside *o = outside_new(&late);
    CHECK(loads != MAP_FAILED && o != NULL);
    outside_free(o);
    CHECK_INT(*loads, 0);
    o = outside_new(&late);
    for (int i = 0; i < 2; i++) {
        struct str got = {0};
        CHECK_INT(outside_ask(o, "one", 3, &got), CHILD_WELL);
        CHECK_TEXT(got.text, "42 3 one");
        str_release(&got);
    }
    outside_free(o);
    CHECK_INT(*loads, 1);
}

static enum child_end ask(struct outside *o, const char *question, const char *want)
{
    struct str got = {0};
    const enum child_end end = outside_ask(o, question, strlen(question), &got);
    if (want) CHECK_TEXT(got.text, want);
    else CHECK(!got.text);
    str_release(&got);
    return end;
}

static void *ask_much(void *context)
{
    char *question = memset(mem_alloc((4 << 20) + 1), 'x', 4 << 20);
    bool good = true;
    for (int i = 0; i < 5; i++) {
        struct str got = {0};
        good &= outside_ask(context, question, 4 << 20, &got) == CHILD_WELL;
        good = good && strcmp(got.text, "42 4194304 long") == 0;
        str_release(&got);
    }
    free(question);
    return good ? context : NULL;
}

int main(void)
{
    struct outside *o = outside_new(&work);
    pthread_t threads[4];
    CHECK(o != NULL);
    CHECK_INT(ask(o, "one", "42 3 one"), CHILD_WELL);
    CHECK_INT(ask(o, "", "42 0 "), CHILD_WELL); // the one before has changed nothing
    CHECK_INT(ask(o, "crash", NULL), CHILD_FAILED);
    CHECK_INT(ask(o, "leave", NULL), CHILD_FAILED);
    CHECK_INT(ask(o, "spin", NULL), CHILD_TOO_LONG);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    CHECK_INT(ask(o, "eat", NULL), CHILD_TOO_LARGE);
#endif
    CHECK_INT(ask(o, "kill", NULL), CHILD_NOT_STARTED);
    CHECK_INT(errno, ECHILD);
    for (int i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, ask_much, o) == 0);
    for (int i = 0; i < 4; i++) {
        void *good = NULL;
        pthread_join(threads[i], &good);
        CHECK(good == o);
    }
    CHECK_INT(loaded, 0); // not here
    outside_free(o);
    a_late_one_loads_for_the_first_question();
    return test_end();
}
