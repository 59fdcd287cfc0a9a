// Finds them by their names, which end in a holder's token.
// SPDX-License-Identifier: MIT
#include "store/leftovers.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "store/aside.h"
#include "store/beside.h"
#include "store/report.h"

enum { TOKEN = 16 };

// "x.csv", a dot, a token and `end`?
static bool named_for(const char *file, const char *base, const char *end)
{
    size_t n = strlen(base);
    if (strncmp(file, base, n) != 0 || file[n] != '.') return false;
    return strspn(file + n + 1, "0123456789abcdef") == TOKEN && strcmp(file + n + 1 + TOKEN, end) == 0;
}

static bool is_beside(const char *file, const char *base)
{
    bool is = false;
    for (const char *const *s = beside_suffixes; *s && !is; s++) {
        char *table = report_beside(base, *s);
        is = named_for(file, table, ".tmp");
        free(table);
    }
    return is;
}

void leftovers_remove(const char *report)
{
    const char *slash = strrchr(report, '/'), *base = slash ? slash + 1 : report;
    char *run = report_beside(base, ".run.yaml"), *old = aside_path(base);
    struct str folder = {0}, lock = {0};
    str_addf(&lock, "%s.lock", base);
    if (slash) str_add_bytes(&folder, report, (size_t)(slash + 1 - report));
    else str_add(&folder, ".");
    DIR *dir = opendir(folder.text);
    for (struct dirent *e; dir && (e = readdir(dir));)
        if (named_for(e->d_name, base, ".tmp") || named_for(e->d_name, run, ".tmp") ||
            named_for(e->d_name, old, ".tmp") || is_beside(e->d_name, base) ||
            named_for(e->d_name, lock.text, ".tmp") || named_for(e->d_name, lock.text, ""))
            unlinkat(dirfd(dir), e->d_name, 0);
    if (dir) closedir(dir);
    str_release(&folder);
    str_release(&lock);
    free(run);
    free(old);
}
