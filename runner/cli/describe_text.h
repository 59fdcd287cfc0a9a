// The layout of descriptions on standard output, and the descriptions of kernels, experiments and scripts.
// SPDX-License-Identifier: MIT
#ifndef CLI_DESCRIBE_TEXT_H
#define CLI_DESCRIBE_TEXT_H
#include "spec/experiment.h"

void describe_heading(const char *what, const char *name, const char *where); // "NAME what (where)", where may be ""
void describe_under(const char *name);
void describe_line(const char *label, const char *text); // wrapped beside its label
void describe_linef(const char *label, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

// The path of the kernel or script of that name; a path counts only with the suffix. NULL: none; the caller frees it.
char *describe_find(const char *kind, const char *name, const char *suffix);
char *describe_experiment_file(const char *name); // the same for an experiment
void describe_parameter(const struct param *);
// False: there is none of that name. For a file that is in error, the complaints are printed.
bool describe_kernel(const char *name, struct diags *);
bool describe_experiment(const char *name, struct diags *);
bool describe_script(const char *name, struct diags *);
void describe_script_of(const struct experiment
        *); // its script and the values of its parameters; nothing where it has none
void describe_script_options(const char *file); // the same of every experiment of a file, for --help
enum describe_part { DESCRIBE_TERMS, DESCRIBE_COLUMNS, DESCRIBE_KEYS };
bool describe_word(const char *name, enum describe_part); // each of its meanings of that part of the glossary
bool describe_group(const char *name);                    // the words of a group
void describe_groups(void);                               // which groups there are
bool describe_script_words(const char *name);             // a parameter or a column of scripts
bool describe_module(const char *name);                   // of the Lua library
bool describe_lua(const char *name);                      // Lua as a whole
#endif
