// What kernels need of a source, found by name: the rest of it (helpers of the host, its classes, the headers of its
// libraries) may be nothing that a compiler for devices takes.
// SPDX-License-Identifier: MIT
#ifndef SPEC_DEVICE_PART_H
#define SPEC_DEVICE_PART_H

// The text with blanks, line by line, in the place of each definition that is not marked for the device and whose name
// no such definition reaches, directly or through others, and of includes that only a host has. NULL: it is all needed.
// The caller frees it.
char *device_part(const char *text);
#endif
