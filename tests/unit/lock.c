// store/lock: one writer for one report, across processes and, by name and silence, across machines.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "store/lock.h"
#include "unit/test.h"

static char folder[] = "/tmp/gpuexp-lock-XXXXXX", path[64], lock_path[80];
static int waited;

static bool count_down(void *limit) { return ++waited > *(int *)limit; }

// A child that holds the lock until it is killed.
static pid_t holder(void)
{
    int ready[2];
    char byte;
    CHECK(pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        struct diags d = {0};
        struct lock *l = lock_take(path, NULL, &d);
        if (write(ready[1], l ? "y" : "n", 1) != 1) _exit(1);
        for (;;) pause();
    }
    CHECK(read(ready[0], &byte, 1) == 1 && byte == 'y');
    close(ready[0]);
    close(ready[1]);
    return child;
}

static void a_second_process_is_told_who_holds_it(void)
{
    struct diags d = {0};
    char who[64];
    pid_t child = holder();
    CHECK(!lock_take(path, NULL, &d));
    snprintf(who, sizeof who, "is being written by process %ld on ", (long)child);
    CHECK(strstr(diags_first(&d), who) != NULL);
    CHECK_INT(diags_exit_status(&d), 3);
    diags_clear(&d);
    int limit = 2;
    struct lock_wait wait = {.seconds = 100, .give_up = count_down, .context = &limit};
    CHECK(!lock_take(path, &wait, &d)); // waits, and can be told not to
    CHECK_INT(waited, 3);
    diags_clear(&d);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    struct lock *l = lock_take(path, NULL, &d); // dead: taken over at once, with a message
    CHECK(l != NULL);
    CHECK_INT(d.count, 1);
    CHECK(d.items[0].kind == DIAG_WARNING && strstr(d.items[0].what, "taken over") != NULL);
    lock_release(l);
    CHECK(!file_exists(lock_path));
    diags_clear(&d);
}

static void waiting_ends_when_the_holder_does(void)
{
    struct diags d = {0};
    struct lock_wait wait = {.seconds = 30};
    pid_t child = holder(), killer = fork();
    if (killer == 0) {
        usleep(300000);
        kill(child, SIGKILL);
        _exit(0);
    }
    struct lock *l = lock_take(path, &wait, &d);
    CHECK(l != NULL);
    lock_release(l);
    waitpid(child, NULL, 0);
    waitpid(killer, NULL, 0);
    diags_clear(&d);
}

static void set_age(time_t seconds)
{
    struct timespec t[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
    CHECK_INT(utimensat(AT_FDCWD, lock_path, t, 0), 0);
}

// Stopped, suspended or only slow: a silent holder keeps the lock where the kernel says that it lives.
static void a_silent_process_of_this_machine_still_holds_it(void)
{
    struct diags d = {0};
    pid_t child = holder();
    set_age(1000);
    CHECK(!lock_take(path, NULL, &d));
    CHECK_INT(diags_exit_status(&d), 3);
    diags_clear(&d);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    unlink(lock_path);
}

// A machine that flock does not reach: only its name in the file and the time of its last sign are known.
static void another_machine_holds_it_until_it_falls_silent(void)
{
    struct diags d = {0};
    const char name[] = "n2 77 2026-01-01T00:00:00Z 00000000-another-boot abc\n";
    CHECK(file_write(lock_path, name, sizeof name - 1, &d));
    CHECK(!lock_take(path, NULL, &d));
    CHECK(strstr(diags_first(&d), "process 77 on n2, since 2026-01-01T00:00:00Z") != NULL);
    diags_clear(&d);
    set_age(LOCK_SILENT_S + 5);
    struct lock *l = lock_take(path, NULL, &d);
    CHECK(l != NULL && d.count == 1);
    diags_clear(&d);
    CHECK(lock_held(l, &d));
    // It lives after all, and took the file back (or another copy did): we must not write.
    CHECK(file_write(lock_path, name, sizeof name - 1, &d));
    CHECK(!lock_held(l, &d));
    CHECK(strstr(diags_first(&d), "was taken over by process 77 on n2") != NULL);
    diags_clear(&d);
    lock_release(l);
    CHECK(file_exists(lock_path)); // not ours to remove
    unlink(lock_path);
}

static void a_holder_shows_that_it_lives(void)
{
    struct diags d = {0};
    struct stat st;
    struct lock *l = lock_take(path, NULL, &d);
    set_age(1000);
    CHECK(lock_held(l, &d)); // taken just now: no sign due yet
    CHECK_INT(stat(lock_path, &st), 0);
    CHECK(time(NULL) - st.st_mtime >= 999);
    lock_release(l);
    CHECK_INT(d.count, 0);
}

// Many processes at once: exactly one at a time has it, however they come and go.
static void of_many_one_has_it(void)
{
    char inside[80];
    pid_t children[4];
    snprintf(inside, sizeof inside, "%s/inside", folder);
    for (int c = 0; c < 4; c++)
        if ((children[c] = fork()) == 0) {
            struct diags d = {0};
            struct lock_wait wait = {.seconds = 60};
            for (int i = 0; i < 5; i++) {
                struct lock *l = lock_take(path, &wait, &d);
                if (!l || mkdir(inside, 0777) != 0 || !lock_held(l, &d)) _exit(1);
                usleep(1000);
                if (rmdir(inside) != 0) _exit(1);
                lock_release(l);
            }
            _exit(d.count ? 2 : 0);
        }
    for (int c = 0; c < 4; c++) {
        int status;
        waitpid(children[c], &status, 0);
        CHECK_INT(status, 0);
    }
}

// What a report's writers left is removed by its next holder, as if somebody wrote it still; what only looks like it
// stays.
static void what_was_left_behind_goes(void)
{
#define TOKEN "0123456789abcdef"
    static const struct {
        const char *behind; // of the report's name without .csv
        bool goes;
    } files[] = {{".csv." TOKEN ".tmp", true}, {".csv.lock." TOKEN ".tmp", true}, {".csv.lock." TOKEN, true},
        {".run.yaml." TOKEN ".tmp", true}, {".samples.csv." TOKEN ".tmp", true}, {".csv." TOKEN, false},
        {".csv.0123456789abcde.tmp", false}, {".csv.0123456789ABCDEF.tmp", false}, {".csv." TOKEN "0.tmp", false},
        {".csv." TOKEN ".tmp.txt", false}, {".csvs." TOKEN ".tmp", false}, {"2.csv." TOKEN ".tmp", false}};
    enum { FILES = sizeof files / sizeof *files };
    struct diags d = {0};
    char names[FILES][160];
    int fds[FILES];
    for (size_t k = 0; k < FILES; k++) {
        snprintf(names[k], sizeof names[k], "%.*s%s", (int)strlen(path) - 4, path, files[k].behind);
        fds[k] = open(names[k], O_RDWR | O_CREAT, 0600);
        CHECK(fds[k] >= 0 && flock(fds[k], LOCK_EX) == 0);
    }
    struct lock *l = lock_take(path, NULL, &d);
    for (size_t k = 0; k < FILES; k++) {
        const bool gone = !file_exists(names[k]);
        if (gone != files[k].goes) printf("%s\n", files[k].behind);
        CHECK(gone == files[k].goes);
        unlink(names[k]);
        close(fds[k]);
    }
    lock_release(l);
    diags_clear(&d);
}

int main(void)
{
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/r.csv", folder);
    snprintf(lock_path, sizeof lock_path, "%s.lock", path);
    a_second_process_is_told_who_holds_it();
    waiting_ends_when_the_holder_does();
    a_silent_process_of_this_machine_still_holds_it();
    another_machine_holds_it_until_it_falls_silent();
    a_holder_shows_that_it_lives();
    of_many_one_has_it();
    what_was_left_behind_goes();
    rmdir(folder);
    return test_end();
}
