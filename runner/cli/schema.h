// The parts of a JSON Schema that follow from a table: a mapping with its keys, the settings, a kernel's parameter.
// SPDX-License-Identifier: MIT
#ifndef CLI_SCHEMA_H
#define CLI_SCHEMA_H
#include "base/json.h"
#include "spec/kernel.h"
#include "spec/words.h"

void schema_mapping(struct json *, const char *key, const struct mapping *);
void schema_settings(struct json *); // the definitions `settings` (their names), `values` and `axes`
void schema_param(struct json *, const struct param *, bool axis);
#endif
