// The whole test framework: a failed check prints where and goes on; test_end gives main its exit status.
// SPDX-License-Identifier: MIT
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>

static int test_failures, test_checks;

#define CHECK(condition) \
    do { \
        test_checks++; \
        if (!(condition)) test_failures++, printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
    } while (0)
#define CHECK_TEXT(got, want) \
    do { \
        const char *got_ = (got), *want_ = (want); \
        test_checks++; \
        if (!got_ || strcmp(got_, want_) != 0) \
            test_failures++, \
                printf("%s:%d: %s is\n  %s\nnot\n  %s\n", __FILE__, __LINE__, #got, got_ ? got_ : "(null)", want_); \
    } while (0)
#define CHECK_INT(got, want) \
    do { \
        long long got_ = (long long)(got), want_ = (long long)(want); \
        test_checks++; \
        if (got_ != want_) \
            test_failures++, printf("%s:%d: %s is %lld, not %lld\n", __FILE__, __LINE__, #got, got_, want_); \
    } while (0)

static inline int test_end(void)
{
    printf("%d checks, %d failed\n", test_checks, test_failures);
    return test_failures || !test_checks ? 1 : 0;
}
