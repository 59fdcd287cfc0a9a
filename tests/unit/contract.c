// spec/contract: what two kernels must have alike to be held against each other, and that only how they do it may
// differ.
// SPDX-License-Identifier: MIT
#include "spec/contract.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "unit/test.h"

static const char head[] = "/*\nparams:\n  n: {default: 1000, min: 1}\n  T: {kind: type, default: float}\n"
                           "buffers:\n  in: {type: T, count: n * 2, access: read, fill: random}\n"
                           "  out: {type: T, count: n, access: write}\nreports: {cycles: {type: int}}\n"
                           "threads: n\nuseful: 8 * n\n*/\n";
static const char body[] = "__global__ void k(const T *in, T *out, int n, int *cycles) { out[0] = in[0]; *cycles = n; "
                           "}\n__device__ bool check(size_t i, const T *out) { return true; }\n";

// The text with its first `from` as `to`.
static struct kernel *kernel_with(const char *from, const char *to)
{
    struct str s = {0};
    struct diags d = {0};
    const char *at = strstr(head, from);
    str_add_bytes(&s, head, (size_t)(at - head));
    str_add(&s, to);
    str_add(&s, at + strlen(from));
    str_add(&s, body);
    struct kernel *k = kernel_parse("new.cu", s.text, &d);
    CHECK_TEXT(diags_first(&d), "");
    str_release(&s);
    return k;
}

static void what_differs(const char *from, const char *to, int line, const char *what)
{
    struct kernel *a = kernel_with("", ""), *b = kernel_with(from, to);
    struct diags d = {0};
    CHECK(a && b && contract_same(a, b, &d) == (what == NULL));
    CHECK_TEXT(diags_first(&d), what ? what : "");
    if (what && d.count) CHECK_INT(d.items[0].at.line, line);
    diags_clear(&d);
    if (a) kernel_free(a);
    if (b) kernel_free(b);
}

int main(void)
{
    what_differs("", "", 0, NULL);
    what_differs("threads: n", "threads: n // 4\nblock: 64\nshared: 1024", 0, NULL); // how it does it
    what_differs("count: n * 2", "count: n*2", 0, NULL);
    what_differs("default: 1000, min: 1", "default: 1000, min: 4, about: elements", 0, NULL);
    what_differs("1000", "2000", 3, "parameter `n` is not what it is in new.cu");
    what_differs("kind: type, default: float", "kind: type, default: double", 4,
        "parameter `T` is not what it is in new.cu");
    what_differs("type: T", "type: float", 6, "buffer `in` is not what it is in new.cu");
    what_differs("n * 2", "n * 3", 6, "buffer `in` is not what it is in new.cu");
    what_differs("access: read", "access: both", 6, "buffer `in` is not what it is in new.cu");
    what_differs("fill: random", "fill: index", 6, "buffer `in` is not what it is in new.cu");
    what_differs("fill: random", "fill: {random: [0, 1]}", 6, "buffer `in` is not what it is in new.cu");
    what_differs("{type: int}", "{type: unsigned}", 8, "report `cycles` is not what it is in new.cu");
    what_differs("useful: 8 * n", "useful: 4 * n", 10, "what it says of `useful` is not what it is in new.cu");
    what_differs("useful: 8 * n\n", "", 0, "what it says of `useful` is not what it is in new.cu");
    what_differs("threads: n", "threads: n\nflops: n", 10, "what it says of `flops` is not what it is in new.cu");
    what_differs("threads: n", "threads: n\nchecks: 1", 10, "what it says of `checks` is not what it is in new.cu");
    what_differs("buffers:", "  m: {default: 1, as: n}\nbuffers:", 0, "it has a parameter `m`, unlike new.cu");
    return test_end();
}
