// Kernels and experiments as JSON: what `list` and `describe` print with --format json.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/json.h"
#include "cli/options.h"
#include "plan/plan.h"

bool as_json(const struct options *); // --format json was given

void as_json_kernel(struct json *, const struct kernel *);
void as_json_experiment(struct json *, const struct experiment *);
// Of a shard: its points. The exit status, as trying_end gives it.
int as_json_plan(struct json *, const struct options *, const struct plan *, struct diags *);
void as_json_mistakes(struct json *, const char *key, const struct diags *, size_t from); // errors and warnings
