// The user's files that a kernel includes replace their first `#include` before the text is used: the same text is
// compiled, hashed and sent to workers, and a compiler reads no files but the Toolkit's and those of this text. Only
// files in the kernel's folder, beside shipped kernels and in folders that the user names are read.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "base/diag.h"
#include "base/str.h"

// Stands before each line of a .ptx file that is included: a comment of C++ (compile/compile.c).
#define INCLUDE_PTX "//gpuexp:ptx "
// And before each line of hexadecimal digits of a .cubin or .fatbin file.
#define INCLUDE_MACHINE "//gpuexp:machine "
// A file that replaces its include stands between two such lines, the first with its number. A later place includes it
// by that.
#define INCLUDE_FILE "#gpuexp file "
#define INCLUDE_END "#gpuexp end"
#define INCLUDE_AGAIN "#include \"gpuexp_" // its number and a quote follow
// What compilers get of such a text: itself first, behind that by their numbers the files that are included `again`.
struct include_parts {
    struct include_part {
        struct str text;
        bool again;
    } * items;
    size_t count;
};
void include_split(const char *source, struct include_parts *);
void include_parts_release(struct include_parts *);
// Is the file of that name of either kind, one that a compiler has made?
bool include_is_made(const char *path);
// The next such line behind `*p`; false: there are no more.
bool include_line(const char *mark, const char **p, const char **line, size_t *n);
// Has the source the entry as PTX? Of machine code: is it in no text of the source?
bool include_made_has(const char *source, const char *entry);

// One more folder that includes may come from (--allow-include), for the whole process; NULL-terminated list of them.
void include_allow(const char *folder);
const char *const *include_allowed(void);

// The text of the kernel file at `path` with each such `#include` replaced by the file between `#line` marks that name
// it relative to the kernel's folder; the text itself where there is none. NULL after a complaint about one that is
// elsewhere or cannot be read.
const char *include_expand(const char *path, const char *text, struct arena *, struct diags *);
// The file of that name where a kernel file at `path` may read: its folder, or one that was allowed. NULL: there is
// none.
const char *include_find(const char *path, const char *name, struct arena *);
// The place of a byte of such a text: the file it came from, its line there. `path` is the kernel file's.
struct where include_where(const char *path, const char *source, size_t byte, struct arena *);
