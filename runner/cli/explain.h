// How descriptions are laid out on standard output, and what describes the things that files define.
// SPDX-License-Identifier: MIT
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H
#include "spec/experiment.h"

void explain_heading(const char *what, const char *name, const char *where); // "NAME what (where)", where may be ""
void explain_section(const char *name);
void explain_line(const char *label, const char *text); // wrapped beside its label
void explain_linef(const char *label, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// Where a kernel or script of that name lies; of paths only those with the suffix. NULL: none; for the caller to free.
char *explain_find(const char *kind, const char *name, const char *suffix);
void explain_parameter(const struct param *);
// False: there is none of that name. A file that is there but in error is described by its complaints.
bool explain_kernel(const char *name, struct diags *);
bool explain_experiment(const char *name, struct diags *);
bool explain_script(const char *name, struct diags *);
void explain_script_of(const struct experiment *); // its script and the parameters in force; nothing where it has none
void explain_script_options(const char *file);     // the same of every experiment of a file, for --help
bool explain_module(const char *name);             // of the Lua library
bool explain_lua(const char *name);                // Lua as a whole
#endif
