// A folder for one compile, under $TMPDIR or /tmp; where nobody may write there, where one is. It is locked while it is
// used, so that one whose process was killed can be recognised and is removed by the next compile.
// SPDX-License-Identifier: MIT
#pragma once
#include <limits.h>
#include <stdbool.h>

struct scratch {
    char path[PATH_MAX];
    int lock;
};
bool scratch_make(struct scratch *); // false: errno says why
void scratch_remove(struct scratch *);
void scratch_clean(void);                                            // removes what killed processes of this user left
bool scratch_put(const char *path, const char *text);                // false: errno says why
bool scratch_put_source(const struct scratch *, const char *source); // source.cu, and what that includes again
char *scratch_text(const char *path);                                // what a compiler wrote there; NULL: nothing
