// The Lua library for scripts, as the comments of its embedded files describe it.
// SPDX-License-Identifier: MIT
#include "words/lua_library.h"

#include <stdio.h>
#include <string.h>

static const char *next_line(const char *p)
{
    p += strcspn(p, "\n");
    return *p ? p + 1 : p;
}

void library_opening(const char *text, struct str *s)
{
    for (; strncmp(text, "-- ", 3) == 0 && strncmp(text, "-- SPDX", 7) != 0; text = next_line(text)) {
        if (s->size) str_add(s, " ");
        str_add_bytes(s, text + 3, strcspn(text + 3, "\n"));
    }
}

const char *library_module(const struct embedded *e, char name[64])
{
    static const char folder[] = "lua/lib/";
    size_t n = strlen(e->name), skip = sizeof folder - 1;
    if (strncmp(e->name, folder, skip) != 0 || n < skip + 5 || n - skip - 4 >= 64) return NULL;
    memcpy(name, e->name + skip, n - skip - 4);
    name[n - skip - 4] = '\0';
    return name;
}

void library_functions(const struct embedded *e, library_fn *fn, void *context)
{
    LOCAL(str_release) struct str comment = {0};
    char module[64];
    if (!library_module(e, module)) return;
    for (const char *text = e->text; *text; text = next_line(text)) {
        size_t n = strcspn(text, "\n");
        size_t dashes = strncmp(text, "--- ", 4) == 0 ? 4 : comment.size && strncmp(text, "-- ", 3) == 0 ? 3 : 0;
        if (dashes) {
            if (comment.size) str_add(&comment, " ");
            str_add_bytes(&comment, text + dashes, n - dashes);
            continue;
        }
        if (strncmp(text, "function M.", 11) == 0 && comment.size) {
            const size_t length = strcspn(text + 11, "(");
            char name[128], arguments[128];
            snprintf(name, sizeof name, "%s.%.*s", module, (int)length, text + 11);
            snprintf(arguments, sizeof arguments, "%.*s", (int)(n - 11 - length), text + 11 + length);
            fn(context, &(struct library_function){name, arguments, comment.text});
        }
        str_clear(&comment);
    }
}
