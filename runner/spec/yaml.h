// YAML text to trees of nodes. The only file that knows libyaml is yaml.c.
// SPDX-License-Identifier: MIT
#pragma once
#include "spec/node.h"

enum { YAML_MOST_BYTES = 4 << 20, YAML_MOST_DEPTH = 64 };

struct yaml_document {
    struct node *root;
    bool broken; // a syntax error ended it early: what seems to be missing may stand after it
};
struct yaml_documents {
    struct yaml_document *items;
    size_t count;
};

// Reads every document of `text` (`size` bytes) into the source's arena; places are those of `source`, which has the
// same lines and columns (text around a description may be blanked out in `text`). After a syntax error reading goes
// on at the next `---`. False after complaints: syntax, bad characters, duplicate keys, cycles, too deep, too large.
// What could be read is there even then.
bool yaml_read(struct node_source *source, const char *text, size_t size, struct yaml_documents *, struct diags *);
