// The layout of descriptions on standard output, and the descriptions of kernels, experiments and scripts.
// SPDX-License-Identifier: MIT
#ifndef CLI_EXPLAIN_H
#define CLI_EXPLAIN_H
#include "spec/experiment.h"

void explain_heading(const char *what, const char *name, const char *where); // "NAME what (where)", where may be ""
void explain_section(const char *name);
void explain_line(const char *label, const char *text); // wrapped beside its label
void explain_linef(const char *label, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// The path of the kernel or script of that name; a path counts only with the suffix. NULL: none; the caller frees it.
char *explain_find(const char *kind, const char *name, const char *suffix);
char *explain_experiment_file(const char *name); // the same for an experiment
void explain_parameter(const struct param *);
// False: there is none of that name. For a file that is in error, the complaints are printed.
bool explain_kernel(const char *name, struct diags *);
bool explain_experiment(const char *name, struct diags *);
bool explain_script(const char *name, struct diags *);
void explain_script_of(const struct experiment
        *);                                    // its script and the values of its parameters; nothing where it has none
void explain_script_options(const char *file); // the same of every experiment of a file, for --help
bool explain_word(const char *name);           // each of its meanings in the glossary
bool explain_group(const char *name);          // the words of a group
void explain_groups(void);                     // which groups there are
bool explain_script_words(const char *name);   // a parameter or a column of scripts
bool explain_module(const char *name);         // of the Lua library
bool explain_lua(const char *name);            // Lua as a whole
#endif
