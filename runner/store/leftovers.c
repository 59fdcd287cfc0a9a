// Finds them by their names, which end in a holder's token, or in the number of a process.
// SPDX-License-Identifier: MIT
#include "store/leftovers.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/beside.h"
#include "base/file.h"
#include "base/str.h"

enum { TOKEN = 16 };

// Is `name` a token behind "x.csv.lock.", or that and ".tmp"?
static bool is_token(const char *text, const char *end)
{
    return strspn(text, "0123456789abcdef") == TOKEN && strcmp(text + TOKEN, end) == 0;
}

static bool of_file(const char *name, const char *file, bool lock)
{
    const size_t n = strlen(file);
    if (strncmp(name, file, n) != 0 || name[n] != '.') return false;
    return is_token(name + n + 1, ".tmp") || (lock && is_token(name + n + 1, ""));
}

// What only a holder of this report's lock writes.
static bool is_holders(const char *name, const char *base)
{
    LOCAL(str_release) struct str lock = {0};
    str_addf(&lock, "%s.lock", base);
    bool is = of_file(name, base, false) || of_file(name, lock.text, true);
    for (enum beside b = 0; b < BESIDE_COUNT && !is; b++) {
        LOCAL(mem_drop) char *file = beside_path(base, b);
        is = of_file(name, file, false);
    }
    return is;
}

void leftovers_remove(const char *report, bool held)
{
    const char *slash = strrchr(report, '/'), *base = slash ? slash + 1 : report;
    LOCAL(mem_drop) char *stem = beside_with(base, ".");
    LOCAL(str_release) struct str folder = {0};
    size_t of;
    if (slash) str_add_bytes(&folder, report, (size_t)(slash + 1 - report));
    else str_add(&folder, ".");
    DIR *dir = opendir(folder.text);
    for (struct dirent *e; dir && (e = readdir(dir));) {
        if (strncmp(e->d_name, stem, strlen(stem)) != 0) continue;
        if ((held && is_holders(e->d_name, base)) || file_left_behind(dirfd(dir), e->d_name, &of))
            unlinkat(dirfd(dir), e->d_name, 0);
    }
    if (dir) closedir(dir);
}
