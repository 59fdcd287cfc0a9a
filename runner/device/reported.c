// One reader for each scalar type that spec/kernel_type.c knows.
// SPDX-License-Identifier: MIT
#include "device/reported.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "sim/ops/half.h"
#include "spec/kernel.h"

#define READER(name, type, convert) \
    static double name(const void *at) \
    { \
        type x; \
        memcpy(&x, at, sizeof x); \
        return (double)convert(x); \
    }
READER(of_bool, unsigned char, 0 !=)
READER(of_char, signed char, )
READER(of_uchar, unsigned char, )
READER(of_short, int16_t, )
READER(of_ushort, uint16_t, )
READER(of_int, int32_t, )
READER(of_uint, uint32_t, )
READER(of_long, int64_t, )
READER(of_ulong, uint64_t, )
READER(of_float, float, )
READER(of_double, double, )
READER(of_half, uint16_t, half_to_float)
READER(of_bfloat, uint16_t, bf16_to_float)

double reported_number(const char *type, const void *at)
{
    static const struct {
        const char *scalar;
        double (*read)(const void *);
    } readers[] = {
        {"bool", of_bool},
        {"char", of_char},
        {"signed char", of_char},
        {"unsigned char", of_uchar},
        {"short", of_short},
        {"unsigned short", of_ushort},
        {"int", of_int},
        {"unsigned int", of_uint},
        {"long long", of_long},
        {"unsigned long long", of_ulong},
        {"float", of_float},
        {"double", of_double},
        {"half", of_half},
        {"__nv_bfloat16", of_bfloat},
    };
    int lanes = 0;
    const char *scalar = kernel_type_scalar(type, &lanes);
    for (size_t i = 0; scalar && lanes == 1 && i < sizeof readers / sizeof readers[0]; i++)
        if (strcmp(readers[i].scalar, scalar) == 0) return readers[i].read(at);
    return NAN;
}
