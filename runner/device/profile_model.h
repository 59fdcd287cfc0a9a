// What the model knows of a device, from its file under device/profiles.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/profiles.h"
#include "model/constants.h"

// From text; `file` is for complaints. What stands in the profile (SMs, L1) is taken from there.
bool profile_model_read(const struct profile *, const char *file, const char *text, size_t size,
    struct model_constants *, struct diags *);
// From the file that is part of the program; false: there is none for it, or it is broken (then with a complaint).
bool profile_model(const struct profile *, struct model_constants *, struct diags *);
// A device whose file is not part of the program: its limits, and the same constants. NULL after diags.
const struct profile *profile_file(const char *path, struct diags *);
