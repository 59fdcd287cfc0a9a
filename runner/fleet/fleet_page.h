// A fleet's health as one HTML file that needs nothing else, in the style of a report's page.
// SPDX-License-Identifier: MIT
#ifndef FLEET_FLEET_PAGE_H
#define FLEET_FLEET_PAGE_H
#include "base/str.h"
#include "fleet/fleet.h"

void fleet_page(const struct fleet *, struct str *);
#endif
