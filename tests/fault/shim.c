// A library for LD_PRELOAD, which no program links: it counts the calls of a family that the program makes, and at one
// of them the call fails, or the power is cut. What it does stands in the environment (tests/fault/fault.sh sets it):
//   FAULT_FAMILY=open read write sync name memory process, or storage for the five of them that a power cut is about
//   FAULT_ERRNO=28      what the FAULT_AT-th call fails with; none: the process dies there, and its children with it
//   FAULT_AT=12         from 1; 0: all go through
//   FAULT_NAME=.x.csv   only calls count that open a file with this in its name
//   FAULT_IN=main       or child: in the process that was started, or in those that it forks (not in other programs)
//   FAULT_COUNT=FILE    gets the number of calls, at the end
//   FAULT_DISK=FOLDER   keeps what a power cut would leave of the current folder's reports (disk.h)
// SPDX-License-Identifier: MIT
#include "fault/disk.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum family { OPEN, READ, WRITE, SYNC, NAME, MEMORY, PROCESS, FAMILIES };
static const char *const family_names[] = {"open", "read", "write", "sync", "name", "memory", "process"};

static bool counted[FAMILIES], in_main, armed;
static long at;
static int error_number;
static pid_t root;
static _Atomic long *calls; // shared by all processes
static const char *count_file, *of_name;
static _Thread_local int inside __attribute__((tls_model("initial-exec"))); // a call of ours, or of libc itself

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name)
{
    inside++;
    void *f = dlsym(RTLD_NEXT, name);
    inside--;
    return f;
}

static void say_count(void)
{
    char text[32];
    const int n = snprintf(text, sizeof text, "%ld\n", *calls);
    const int fd = REAL(open)(count_file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd >= 0 && REAL(write)(fd, text, (size_t)n) == n) REAL(close)(fd);
}

static void begin(void) __attribute__((constructor));
static void begin(void)
{
    const char *family = getenv("FAULT_FAMILY"), *who = getenv("FAULT_ROOT"), *number = getenv("FAULT_AT");
    char own[32];
    if (!family || !number || who) return; // `who`: another program that it started
    inside++;
    snprintf(own, sizeof own, "%ld", (long)getpid());
    setenv("FAULT_ROOT", own, 1);
    root = getpid();
    for (int f = 0; f < FAMILIES; f++)
        counted[f] =
            strcmp(family, "storage") == 0 ? f != MEMORY && f != PROCESS : strcmp(family, family_names[f]) == 0;
    at = atol(number);
    error_number = getenv("FAULT_ERRNO") ? atoi(getenv("FAULT_ERRNO")) : 0;
    in_main = strcmp(getenv("FAULT_IN") ? getenv("FAULT_IN") : "main", "main") == 0;
    calls = REAL(mmap)(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    count_file = getenv("FAULT_COUNT");
    of_name = getenv("FAULT_NAME");
    if (getenv("FAULT_DISK")) disk_begin(getenv("FAULT_DISK"));
    armed = calls != MAP_FAILED;
    inside--;
}

// Only the process that was started says it.
static void end(void) __attribute__((destructor));
static void end(void)
{
    if (armed && count_file && getpid() == root) say_count();
}

// Whether this call fails; then errno is set.
static bool fails(enum family f)
{
    if (!armed || inside || !counted[f] || (getpid() == root) != in_main) return false;
    if (atomic_fetch_add(calls, 1) + 1 != at) return false;
    if (!error_number) {
        if (count_file) say_count();
        kill(root, SIGKILL);
        raise(SIGKILL);
    }
    errno = error_number;
    return true;
}

static bool open_fails(const char *name) { return (!of_name || (name && strstr(name, of_name))) && fails(OPEN); }

static bool disk_here(void) { return armed && !inside && getpid() == root; }

// Runs what follows as ours: nothing in it is counted.
#define QUIETLY(...) (inside++, (void)(__VA_ARGS__), inside--)

static int open_any(int folder, const char *name, int how, mode_t mode)
{
    const bool own = disk_here() && how & O_CREAT, was = own && disk_exists(folder, name);
    const int fd = REAL(openat)(folder, name, how, mode);
    if (own && fd >= 0 && !was) QUIETLY(disk_made(fd));
    return fd;
}

#define MODE(how) \
    mode_t mode = 0; \
    va_list args; \
    va_start(args, how); \
    if (how & O_CREAT || (how & O_TMPFILE) == O_TMPFILE) mode = va_arg(args, mode_t); \
    va_end(args)

int open(const char *name, int how, ...)
{
    MODE(how);
    return open_fails(name) ? -1 : open_any(AT_FDCWD, name, how, mode);
}
int openat(int folder, const char *name, int how, ...)
{
    MODE(how);
    return open_fails(name) ? -1 : open_any(folder, name, how, mode);
}
FILE *fopen(const char *name, const char *how)
{
    const bool own = disk_here(), was = own && disk_exists(AT_FDCWD, name);
    FILE *f = open_fails(name) ? NULL : REAL(fopen)(name, how);
    if (f && own && !was) QUIETLY(disk_made(fileno(f)));
    return f;
}
FILE *fdopen(int fd, const char *how) { return open_fails(NULL) ? NULL : REAL(fdopen)(fd, how); }
DIR *opendir(const char *name) { return open_fails(name) ? NULL : REAL(opendir)(name); }
DIR *fdopendir(int fd) { return open_fails(NULL) ? NULL : REAL(fdopendir)(fd); }
char *mkdtemp(char *path) { return open_fails(path) ? NULL : REAL(mkdtemp)(path); }
int pipe2(int ends[2], int how) { return open_fails(NULL) ? -1 : REAL(pipe2)(ends, how); }
int socketpair(int family, int kind, int protocol, int ends[2])
{
    return open_fails(NULL) ? -1 : ((int (*)(int, int, int, int[2]))real("socketpair"))(family, kind, protocol, ends);
}

ssize_t read(int fd, void *p, size_t n) { return fails(READ) ? -1 : REAL(read)(fd, p, n); }
ssize_t pread(int fd, void *p, size_t n, off_t o) { return fails(READ) ? -1 : REAL(pread)(fd, p, n, o); }
size_t fread(void *p, size_t size, size_t n, FILE *f) { return fails(READ) ? 0 : REAL(fread)(p, size, n, f); }
char *fgets(char *p, int n, FILE *f) { return fails(READ) ? NULL : REAL(fgets)(p, n, f); }

// A full disk takes a part of what is written.
ssize_t write(int fd, const void *p, size_t n)
{
    if (!fails(WRITE)) return REAL(write)(fd, p, n);
    const int why = errno;
    if (why == ENOSPC && n > 1 && at % 2) return REAL(write)(fd, p, n / 2);
    errno = why;
    return -1;
}
ssize_t pwrite(int fd, const void *p, size_t n, off_t o) { return fails(WRITE) ? -1 : REAL(pwrite)(fd, p, n, o); }
// The stream knows of it, as of a real failure: ferror. (The flag is glibc's.)
static bool stream_fails(FILE *f)
{
    if (!fails(WRITE)) return false;
    if (f) f->_flags |= 0x20;
    return true;
}
size_t fwrite(const void *p, size_t size, size_t n, FILE *f)
{
    return stream_fails(f) ? 0 : ((size_t(*)(const void *, size_t, size_t, FILE *))real("fwrite"))(p, size, n, f);
}
int fflush(FILE *f) { return stream_fails(f) ? EOF : REAL(fflush)(f); }
int fclose(FILE *f)
{
    const bool bad = fails(WRITE);
    const int why = errno, got = REAL(fclose)(f);
    if (bad) errno = why;
    return bad ? EOF : got;
}

static int synced(int fd, int got)
{
    if (got == 0 && disk_here()) QUIETLY(disk_synced(fd));
    return got;
}
int fsync(int fd) { return fails(SYNC) ? -1 : synced(fd, 0); } // no real disk has to wait: the shadow is the disk
int fdatasync(int fd) { return fails(SYNC) ? -1 : synced(fd, 0); }

int rename(const char *from, const char *to) { return fails(NAME) ? -1 : REAL(rename)(from, to); }
int link(const char *from, const char *to) { return fails(NAME) ? -1 : REAL(link)(from, to); }
int unlink(const char *name) { return fails(NAME) ? -1 : REAL(unlink)(name); }
int mkdir(const char *name, mode_t mode) { return fails(NAME) ? -1 : REAL(mkdir)(name, mode); }
int ftruncate(int fd, off_t size) { return fails(NAME) ? -1 : REAL(ftruncate)(fd, size); }
int fallocate(int fd, int how, off_t o, off_t n) { return fails(NAME) ? -1 : REAL(fallocate)(fd, how, o, n); }

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *malloc(size_t n) { return fails(MEMORY) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return fails(MEMORY) ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return fails(MEMORY) ? NULL : __libc_realloc(p, n); }
void *mmap(void *p, size_t n, int prot, int how, int fd, off_t o)
{
    return fails(MEMORY) ? MAP_FAILED : REAL(mmap)(p, n, prot, how, fd, o);
}

pid_t fork(void) { return fails(PROCESS) ? -1 : REAL(fork)(); }
pid_t vfork(void) { return fails(PROCESS) ? -1 : REAL(fork)(); } // which can be called from here
int pthread_create(pthread_t *t, const pthread_attr_t *a, void *(*f)(void *), void *context)
{
    return fails(PROCESS) ? errno : REAL(pthread_create)(t, a, f, context);
}
