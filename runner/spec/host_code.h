// What a kernel's file has for the host, `main` above all, is left out of what is compiled for the device: a file that
// exists already is taken as it is.
// SPDX-License-Identifier: MIT
#ifndef SPEC_HOST_CODE_H
#define SPEC_HOST_CODE_H
#include <stdbool.h>
#include <stddef.h>

// The text with blanks in the place of functions that only a host can run, line by line; the caller frees it.
char *host_code_left_out(const char *text);
bool host_code_runs(const char *from, const char *end); // a launch or a call of the CUDA runtime stands there
// Puts blanks there. Directives stay: an #if may begin inside and end behind it.
void host_code_blank(char *text, size_t from, size_t end);
#endif
