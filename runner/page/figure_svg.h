// Draws the grids of reason/figure.h as SVG, one below the other.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdio.h>

#include "base/str.h"
#include "reason/figure.h"

enum { FIGURE_WIDTH = 760 };
double figure_svg(const struct figure *, double y, struct str *); // the elements, from y on; returns where they end
void figure_svg_print(const struct str *elements, double height, FILE *); // as a file of its own
