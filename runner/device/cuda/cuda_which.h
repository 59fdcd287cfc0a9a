// Which device a spec means, where the environment lists devices by UUID: whole GPUs ("GPU-b90b8fc4-..."), or slices
// of them ("MIG-..."), of which CUDA shows one alone to a process: the first that is listed. Texts only: nothing here
// asks a driver.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { CUDA_UUID = 96 }; // the longest with its end

bool cuda_which_uuid(const char *text);         // is it such a UUID, or its beginning?
bool cuda_which_slice_name(const char *device); // "NVIDIA H200 MIG 1g.18gb"
// How many slices the list names; 0: it is not there, or names something else.
int cuda_which_slices(const char *visible);
// The i-th of them, from 0.
bool cuda_which_slice(const char *visible, int i, char uuid[CUDA_UUID]);
// The slice of that UUID is in the list, or there is no list.
bool cuda_which_may(const char *visible, const char *uuid);
