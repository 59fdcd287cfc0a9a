// What a name means, told to whoever shows it: heading by heading, or as JSON.
// SPDX-License-Identifier: MIT
#pragma once
#include "base/json.h"
#include "spec/experiment.h"

struct describing {
    void (*heading)(const char *what, const char *name, const char *where); // "NAME what (where)", where may be ""
    void (*under)(const char *name);
    void (*line)(const char *label, const char *text);
};
// Everything that each can mean; without names the groups of words that there are. What is no name, and mistakes of a
// file that is described, are added to diags.
void describe_names(const struct describing *, const char *const *names, size_t count, struct diags *);
// The script of every experiment of a file with the values of its parameters, for --help.
void describe_script_options(const struct describing *, const char *file);

void describe_json(struct json *, const char *name, struct diags *); // NULL: every word
void describe_json_kernel(struct json *, const struct kernel *);
void describe_json_experiment(struct json *, const struct experiment *);
