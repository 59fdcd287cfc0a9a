// Reads a piece at a time.
// SPDX-License-Identifier: MIT
#include "store/pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"

enum { PIECE = 1 << 18 };

bool pieces_open(struct pieces *w, const char *path, struct diags *d)
{
    struct stat st;
    *w = (struct pieces){.fd = -1};
    if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && (w->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0)
        return diag_system(d, "the rows that are there are whole; run again to go on", "cannot open %s: %s", path,
            strerror(errno));
    if (w->fd < 0) w->fd = file_open(path, d); // which says what is there in its place
    if (w->fd < 0) return false;
    if (fstat(w->fd, &st) != 0) return diag_system(d, "run it again", "cannot look at %s: %s", path, strerror(errno));
    w->size = (size_t)st.st_size;
    return true;
}

void pieces_close(struct pieces *w)
{
    if (w->fd >= 0) close(w->fd);
    free(w->text);
    *w = (struct pieces){.fd = -1};
}

static void read_piece(struct pieces *w, size_t offset, size_t size)
{
    mem_grow(&w->text, &w->room, size + 1, 1);
    w->from = offset;
    w->held = file_get_at(w->fd, w->text, size, offset);
    if (w->held == size) return;
    if (errno) w->error = errno;
    w->size = offset + w->held; // the file has become shorter
}

const char *pieces_at(struct pieces *w, size_t offset, size_t want, size_t *have)
{
    size_t left = offset < w->size ? w->size - offset : 0;
    if (want > left) want = left;
    if (offset < w->from || offset + want > w->from + w->held || !w->text)
        read_piece(w, offset, want > PIECE ? want : left < PIECE ? left : PIECE);
    *have = w->from + w->held > offset ? w->from + w->held - offset : 0;
    return w->text + (offset - w->from);
}
