// A fleet's health as one HTML file that needs nothing else, in the style of a report's page.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/str.h"
#include "fleet/fleet.h"

void fleet_page(const struct fleet *, struct str *);
