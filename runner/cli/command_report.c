// `gpuexp report REPORT.csv`: a page to look at and to pass on.
// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "cli/commands.h"
#include "cli/page.h"

#include <string.h>

int command_report(const struct options *o, struct diags *d)
{
    const char *report = o->operands[0];
    struct str page = {0}, path = {0};
    size_t n = strlen(report);
    if (options_given(o, OPTION_OUTPUT)) str_add(&path, o->value[OPTION_OUTPUT]);
    else {
        str_add_bytes(&path, report, n > 4 && strcmp(report + n - 4, ".csv") == 0 ? n - 4 : n);
        str_add(&path, ".html");
    }
    if (page_html(report, o->value[OPTION_X], o->value[OPTION_Y], &page, d) &&
        file_write(path.text, page.text, page.size, d) && !options_given(o, OPTION_QUIET))
        printf("%s\n", path.text);
    str_release(&page);
    str_release(&path);
    return 0;
}
