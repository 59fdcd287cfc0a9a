// What a kernel's file has for the host, `main` above all, is left out of what is compiled for the device: a file that
// exists already is taken as it is.
// SPDX-License-Identifier: MIT
#ifndef SPEC_HOST_CODE_H
#define SPEC_HOST_CODE_H

// The text with blanks in the place of functions that only a host can run, line by line; the caller frees it.
char *host_code_left_out(const char *text);
#endif
