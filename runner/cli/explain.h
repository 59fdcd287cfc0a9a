// How descriptions are laid out on standard output, and what describes the things that files define.
// SPDX-License-Identifier: MIT
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H
#include "spec/kernel.h"

void explain_heading(const char *what, const char *name, const char *where); // "NAME what (where)", where may be ""
void explain_section(const char *name);
void explain_line(const char *label, const char *text); // wrapped beside its label
void explain_linef(const char *label, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void explain_parameter(const struct param *);
// False: there is none of that name. A file that is there but in error is described by its complaints.
bool explain_kernel(const char *name, struct diags *);
bool explain_experiment(const char *name, struct diags *);
bool explain_script(const char *name, struct diags *);
bool explain_module(const char *name); // of the Lua library
bool explain_lua(const char *name);    // Lua as a whole
#endif
