// What a power cut leaves: the shadow of a disk that keeps nothing until it is told to. A file has the content that it
// had when it was last synced (none before that), a folder the names that it had when it was last synced. Each file
// that is made has a number of its own, so that a name that was not synced leads to the older file.
//     FOLDER/content/NUMBER     the content of a file, as last synced
//     FOLDER/names              `NUMBER NAME` for each file of the current folder's reports, as last synced
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

// All files that are there now are synced. All of this knows one folder: ./reports.
void disk_begin(const char *folder);
bool disk_exists(int folder, const char *name);
void disk_made(int fd);   // a new file
void disk_synced(int fd); // a file, or the folder
