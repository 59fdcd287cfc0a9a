// page/plot: a bar for each point as long as its number says, a strip of blocks for many, within the width that there
// is.
// SPDX-License-Identifier: MIT
#include "base/text.h"
#include "page/html.h"

#include <stdlib.h>
#include <unistd.h>

#include "unit/test.h"

#define HEAD "experiment,point,key,device,kernel,n,status,gbps\n"

static void read_report(struct sheet *sheet, const char *csv)
{
    char path[] = "/tmp/gpuexp-plot-XXXXXX";
    const struct chart_wish wish = {0};
    struct diags d = {0};
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, csv, strlen(csv)) == (ssize_t)strlen(csv));
    close(fd);
    CHECK(sheet_read(sheet, path, &wish, &d));
    unlink(path);
    diags_clear(&d);
}

static char *plotted(const char *csv, int width)
{
    struct sheet sheet;
    struct str s = {0};
    read_report(&sheet, csv);
    plot_add(&sheet, width, &s);
    sheet_release(&sheet);
    return str_take(&s);
}

static int widest(const char *text)
{
    int most = 0;
    for (char *copy = strdup(text), *rest = copy, *line; copy; free(copy), copy = NULL)
        while ((line = strtok_r(rest, "\n", &rest)))
            if (text_width(line) > most) most = text_width(line);
    return most;
}

static void bars_are_as_long_as_their_numbers(void)
{
    char *s = plotted(HEAD "e,1,1,G,k,1,ok,10\ne,2,2,G,k,2,ok,20\ne,3,3,G,k,3,ok,40\ne,4,4,G,k,4,failed,\n", 31);
    CHECK_TEXT(s,
        "gbps, GB/s\n"
        "  n 1  \xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x8C 10\n"
        "  n 2  \xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88 20\n"
        "  n 3  \xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88"
        "\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88\xE2\x96\x88 40\n");
    free(s);
    s = plotted(HEAD "e,1,1,G,k,1,ok,10\n", 60); // one point
    CHECK(strstr(s, " 10\n") != NULL);
    free(s);
    s = plotted(HEAD "e,1,1,G,k,1,failed,\n", 60);
    CHECK_TEXT(s, "");
    free(s);
    s = plotted(HEAD "e,1,1,G,k,1,ok,10\ne,2,2,G,k,2,ok,20\n", 12); // no room
    CHECK_TEXT(s, "");
    free(s);
}

static void many_points_are_a_strip(void)
{
    struct str csv = {0};
    str_add(&csv, HEAD);
    for (int i = 1; i <= 10000; i++) str_addf(&csv, "e,%d,%d,G,k,%d,ok,%d\n", i, i, i, 5000 + i / 2);
    for (int width = 20; width <= 200; width += 60) {
        char *s = plotted(csv.text, width);
        CHECK(widest(s) <= width && widest(s) > 10 && strchr(s, '\n') != strrchr(s, '\n'));
        CHECK((strstr(s, "gbps, TB/s, 5 to 10 over n 1 to 10 k, a row in 6\n") != NULL) == (width >= 80));
        CHECK(strstr(s, "\xE2\x96\x85") && strstr(s, "\xE2\x96\x88") && !strstr(s, "\xE2\x96\x82")); // from half to all
        free(s);
    }
    str_release(&csv);
}

// Points of a script come in the order in which it needs them; planned ones in the plan's.
static void rows_are_in_order(void)
{
    const struct axis n = {.name = "n"};
    const struct axes sweep = {&n, 1};
    const struct experiment planned = {.sweep = &sweep, .sweep_count = 1}, scripted = {.script = "refine"};
    struct sheet sheet;
    read_report(&sheet, HEAD "e,1,1,G,k,4,ok,40\ne,2,2,G,k,1,ok,\ne,3,3,G,k,12,failed,9\n");
    for (int script = 0; script < 2; script++) {
        struct str head = {0}, rows = {0};
        CHECK(plot_rows(&sheet, script ? &scripted : &planned, 0, &head, &rows));
        CHECK_TEXT(head.text, "   n  status  gbps");
        CHECK_TEXT(rows.text,
            script ? "   1      ok      \n   4      ok    40\n  12  failed     9\n"
                   : "   4      ok    40\n   1      ok      \n  12  failed     9\n");
        str_clear(&head);
        str_clear(&rows);
        CHECK(plot_rows(&sheet, script ? &scripted : &planned, 12, &head, &rows)); // no room for both
        CHECK_TEXT(head.text, "   n  status");
        str_release(&head);
        str_release(&rows);
    }
    sheet_release(&sheet);
}

int main(void)
{
    rows_are_in_order();
    bars_are_as_long_as_their_numbers();
    many_points_are_a_strip();
    return test_end();
}
