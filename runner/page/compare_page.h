// What `compare` found of two reports, as a page: what became of how many points, the ratios as a picture, the worst
// first, and each point's numbers.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/arena.h"
#include "base/str.h"
#include "measure/verdict.h"

struct compared_point {
    const char *verdict, *name;
    const char *kind;           // of html.css: "wrong" is what makes `compare` end with 1
    const char *was_us, *is_us; // as the reports have them, "" for none
    struct ratio ratio;
    const char *gpus; // "0 -> 1": which measured it, "" where one was alone
    const char *rest; // what else differs
};
struct compare_page {
    const char *old, *new;               // reports
    const char *old_link, *new_link;     // from the page; NULL: none
    const char *old_device, *new_device; // NULL: not known
    const char *constants;               // "" or what all points have in common
    const struct compared_point *points; // the worst first
    size_t count;
    struct ratio mean; // of `meant` points
    size_t meant;
    double threshold;
};
void compare_page(const struct compare_page *, struct arena *, struct str *);
