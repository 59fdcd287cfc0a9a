// Gathers bytes, writes them in large pieces, reads them back one by one.
// SPDX-License-Identifier: MIT
#include "store/spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/str.h"

enum { HELD = 1 << 18 };

static int without_a_name(struct lock *l, const char *report)
{
    LOCAL(str_release) struct str folder = {0};
    const char *slash = strrchr(report, '/');
    if (slash) str_add_bytes(&folder, report, (size_t)(slash + 1 - report));
    else str_add(&folder, ".");
    int fd = open(folder.text, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT && errno != EINVAL)) return fd;
    char *name = lock_temporary(l, report); // there are file systems that give every file a name
    fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) unlink(name);
    free(name);
    return fd;
}

bool spool_begin(struct spool *s, struct lock *l, const char *report, struct diags *d)
{
    *s = (struct spool){.fd = without_a_name(l, report)};
    if (s->fd >= 0) s->held = mem_alloc(HELD);
    return s->fd >= 0 ||
        diag_system(d, "is the folder writable, and is there room?", "cannot make a temporary file beside %s: %s",
            report, strerror(errno));
}

static void write_out(struct spool *s, const char *bytes, size_t size)
{
    if (!s->error && file_put(s->fd, bytes, size) < size) s->error = errno ? errno : EIO;
}

static void flush(struct spool *s)
{
    write_out(s, s->held, s->held_size);
    s->held_size = 0;
}

uint64_t spool_add(struct spool *s, const char *bytes, size_t size)
{
    const uint64_t at = s->size;
    s->size += size;
    if (s->held_size + size > HELD) flush(s);
    if (size > HELD) {
        write_out(s, bytes, size);
    } else {
        memcpy(s->held + s->held_size, bytes, size);
        s->held_size += size;
    }
    return at;
}

bool spool_ended(struct spool *s, const char *report, struct diags *d)
{
    flush(s);
    return !s->error ||
        diag_system(d, "make room and run it again: nothing was changed", "cannot write a temporary file beside %s: %s",
            report, strerror(s->error));
}

const char *spool_text_of(struct spool *s, int fd, uint64_t offset, size_t size)
{
    mem_grow(&s->read, &s->read_room, size + 1, 1);
    if (file_get_at(fd, s->read, size, offset) == size) return s->read;
    s->error = errno ? errno : ESTALE; // it has become shorter
    errno = s->error;
    return NULL;
}

void spool_release(struct spool *s)
{
    if (s->held || s->read) {
        if (s->held) close(s->fd);
        free(s->held);
        free(s->read);
    }
    *s = (struct spool){.fd = -1};
}
