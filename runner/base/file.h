// Files: whole reads, atomic writes, folders, and where the program's own data lies.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

// Opens a regular file for reading; -1 after adding to diags.
int file_open(const char *path, struct diags *);
// The whole of a regular file of at most `most` bytes, NUL-terminated, for the caller to free; NULL after adding to
// diags (no such file, a directory, too large, unreadable). `size` may be NULL.
char *file_read(const char *path, size_t most, size_t *size, struct diags *);
// The same of a file that is `what` ("a script") by its own name, links followed: it ends in one of `endings`
// (".yaml .yml"). What others wrote may name any file, and messages quote what was read.
char *file_read_named(const char *path, const char *what, const char *endings, size_t most, size_t *size,
    struct diags *);
// From now on `path` has this text, whatever lies there, and where a name is looked for it is found first: what a
// report was measured with can be measured again. Both live as long as the process.
void file_stand_in(const char *path, const char *text);
void file_stand_in_forget(void); // all of them: before their texts go
// Writes to a temporary file beside it, syncs, renames over it (a symbolic link is replaced, not followed). Makes
// missing folders.
bool file_write(const char *path, const void *bytes, size_t size, struct diags *);
// The same, but what another wrote is an error and stays: what is there has to be empty, or to begin as every file of
// that form does.
bool file_write_over(const char *path, const void *bytes, size_t size, const char *begins, struct diags *);
bool file_is_form(const char *path, const char *begins, struct diags *); // that check alone
// The same in pieces: `stream` is written to, then it is ended. `wrote` false: it is dropped, without a word.
struct file_write {
    FILE *stream;
    char path[4096], temporary[4200];
};
bool file_write_begin(struct file_write *, const char *path, struct diags *);
bool file_write_end(struct file_write *, bool wrote, struct diags *);
// Removes `name` where it is a temporary file whose process was killed. `of`: how many bytes of the name are those of
// the file that it was meant for.
bool file_left_behind(int folder, const char *name, size_t *of);
// Bytes to and from a descriptor, from its place on or from `at`: all of them, however often a signal comes between.
// Else fewer: errno says why; 0: that is the end.
size_t file_put(int fd, const void *bytes, size_t size);
size_t file_get(int fd, void *bytes, size_t size);
size_t file_get_at(int fd, void *bytes, size_t size, uint64_t at);
bool file_make_folders(const char *path_of_file, struct diags *); // all folders above `path_of_file`
bool file_exists(const char *path);
// Has the folder's entry of a file that is new or renamed reach the disk. False: errno says why.
bool file_sync_folder(const char *path_of_file);
// What `path` leads to where it is a symbolic link, else `path`: for the caller to free. NULL after diags: a link to
// nothing.
char *file_real(const char *path, struct diags *);

// Finds data of the program's own or of the user: `name` ("stride") with `suffix` (".cu") in folder `kind` ("kernels")
// under the current folder, each entry of GPUEXP_PATH, the installed share folder beside the binary, then the source
// tree. A name with a slash is taken as a path. NULL when it is nowhere; else a path for the caller to free.
char *file_find(const char *kind, const char *name, const char *suffix);
// Every name of that kind, sorted, each once (the first folder wins); NULL-terminated.
// LOCAL(file_list_drop) char **names = file_list(...);
char **file_list(const char *kind, const char *suffix);
void file_list_drop(char ***); // each and the list
