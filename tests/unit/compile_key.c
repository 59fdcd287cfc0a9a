// compile/: what is put around a kernel decides the code as much as the kernel does, so a cache entry is for those
// texts alone. Here the table of carried files is this test's own, so that a file of it can change.
// alone: the embedded files are its own
// SPDX-License-Identifier: MIT
#define embedded_files carried // the generated table under another name
#include "embedded.c"
#undef embedded_files

#include "unit/compilers.h"

struct embedded embedded_files[sizeof carried / sizeof *carried];

static const char tiny[] = "extern \"C\" __global__ void tiny(float *a) { a[0] = sqrtf(a[1]); }\n";

// Compiles it; true when it was in the cache.
static bool was_known(void)
{
    struct code *code = NULL;
    struct diags d = {0};
    CHECK(compile_code(tiny, "kernels/tiny.cu", &(struct compile_options){0}, &code, &d));
    CHECK_TEXT(diags_first(&d), "");
    const bool known = code && code->cached;
    code_free(code);
    diags_clear(&d);
    return known;
}

static void a_changed_header_is_another_compile(void)
{
    int headers = 0;
    was_known();
    CHECK(was_known());
    for (struct embedded *f = embedded_files; f->name; f++) {
        const bool header = strncmp(f->name, "runner/compile/text/", 20) == 0;
        if (!header && strcmp(f->name, "lua/tune.lua") != 0) continue;
        const struct embedded old = *f;
        char *changed = mem_alloc(f->size + 2);
        memcpy(changed, f->text, f->size);
        changed[f->size] = '\n';
        f->text = changed, f->size++;
        const bool known = was_known();
        if (known == header) printf("%s was changed\n", f->name);
        CHECK(known != header); // a script is no part of the code
        CHECK(was_known());
        *f = old;
        free(changed);
        CHECK(was_known());
        headers += header;
    }
    CHECK(headers >= 5);
}

int main(void)
{
    memcpy(embedded_files, carried, sizeof carried);
    with_each_compiler(a_changed_header_is_another_compile);
    return test_end();
}
