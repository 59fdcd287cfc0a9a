// A report as text, for tests of what is drawn of it: read, and its charts chosen.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdlib.h>
#include <unistd.h>

#include "measure/result.h"
#include "page/chart_axes.h"
#include "page/chart.h"
#include "page/html.h"
#include "unit/test.h"

#define HEAD "experiment,point,key,device,kernel,"

static struct view view;
static struct charts charts;
static const struct chart_wish no_wish;
static struct question asked; // nothing is known, unless a test says what

static void choose(const char *csv)
{
    char path[] = "/tmp/gpuexp-chart-XXXXXX";
    struct diags d = {0};
    int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, csv, strlen(csv)) == (ssize_t)strlen(csv));
    close(fd);
    CHECK(view_read(&view, path, &d));
    unlink(path);
    diags_print(&d, stdout);
    diags_clear(&d);
    CHECK(charts_choose(&view, &asked, &no_wish, &charts, &d));
}
static void done(void)
{
    view_release(&view);
    asked = (struct question){0};
}

static inline const char *x_name(void)
{
    return charts.count && charts.items[0].x >= 0 ? view.columns[charts.items[0].x].name : "(none)";
}
static inline size_t y_count(void) { return charts.count ? charts.items[0].facet_count : 0; }
static inline const char *y_name(size_t i)
{
    return i < y_count() ? view.columns[charts.items[0].facets[i].column].name : "(none)";
}
