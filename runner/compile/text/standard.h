// What nvcc gives a kernel without an include, and <stdint.h>, <limits.h> and <float.h> besides, for a device compiler
// that sees no host headers. 64-bit types are `long long`, as the Toolkit's own headers have them for such compilers.
// Carried in the binary.
// SPDX-License-Identifier: MIT
#ifndef GPUEXP_STANDARD_H
#define GPUEXP_STANDARD_H
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
typedef int64_t intptr_t;
typedef uint64_t uintptr_t;
typedef int64_t intmax_t;
typedef uint64_t uintmax_t;
typedef long ssize_t;
typedef struct gpuexp_file FILE; // of the host: a kernel reads none
#define UINT8_C(x) x
#define UINT16_C(x) x
#define UINT32_C(x) x##U
#define INT64_C(x) x##LL
#define UINT64_C(x) x##ULL
#ifndef __clang__ // where cuda_device.h has them
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#endif

// What <cuda.h> has for a kernel: its version, handles, the 128 bytes by which a copy finds boxes of a tensor.
#ifdef __CUDACC_VER_MAJOR__
#define CUDA_VERSION (1000 * __CUDACC_VER_MAJOR__ + 10 * __CUDACC_VER_MINOR__)
#else
#define CUDA_VERSION 11000
#endif
#ifndef CUDART_VERSION // which NVRTC has
#ifndef CUDART_VERSION // NVRTC has it
#define CUDART_VERSION CUDA_VERSION
#endif
#endif
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
#define CU_TENSOR_MAP_NUM_QWORDS 16
typedef struct CUtensorMap_st {
    alignas(128) uint64_t opaque[16];
} CUtensorMap;

#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT64_MAX 9223372036854775807LL
#define INT8_MIN (-128)
#define INT16_MIN (-32768)
#define INT32_MIN (-2147483647 - 1)
#define INT64_MIN (-9223372036854775807LL - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define UINT64_MAX 18446744073709551615ULL

#define SIZE_MAX UINT64_MAX
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define PTRDIFF_MAX INT64_MAX
#define _POSIX_VERSION 200809L // headers ask for it before they name types of the host

#ifndef CHAR_BIT
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define ULLONG_MAX 18446744073709551615ULL
#endif

#ifndef FLT_MAX
#define FLT_MAX 3.40282346638528859812e+38F
#define FLT_MIN 1.17549435082228750797e-38F
#define FLT_EPSILON 1.19209289550781250000e-7F
#define DBL_MAX 1.79769313486231570815e+308
#define DBL_MIN 2.22507385850720138309e-308
#define DBL_EPSILON 2.22044604925031308085e-16
#endif

#ifndef INFINITY
// Not __builtin_inff: NVRTC knows none of that kind.
#define HUGE_VALF (__builtin_bit_cast(float, 0x7f800000))
#define HUGE_VAL (__builtin_bit_cast(double, 0x7ff0000000000000LL))
#define NAN (__builtin_bit_cast(float, 0x7fffffff))
#define INFINITY HUGE_VALF
#endif
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
// <math_constants.h>
#define CUDART_INF_F HUGE_VALF
#define CUDART_NAN_F NAN
#define CUDART_INF HUGE_VAL
#define CUDART_NAN (__builtin_bit_cast(double, 0xfff8000000000000LL))
#define CUDART_MIN_DENORM_F 1.401298464324817e-45F
#define CUDART_MAX_NORMAL_F FLT_MAX
#define CUDART_NEG_ZERO_F (-0.0F)
#define CUDART_ZERO_F 0.0F
#define CUDART_ONE_F 1.0F
#define CUDART_PI_F 3.14159265358979323846F
#define CUDART_PIO2_F 1.57079632679489661923F
#define CUDART_PIO4_F 0.78539816339744830962F
#define CUDART_2_OVER_PI_F 0.63661977236758134308F
#define CUDART_SQRT_TWO_F 1.41421356237309504880F
#define CUDART_SQRT_HALF_F 0.70710678118654752440F
#define CUDART_LN2_F 0.69314718055994530942F
#define CUDART_L2E_F 1.4426950408889634074F
#define CUDART_L10_F 2.30258509299404568402F
#define CUDART_PI M_PI
#define CUDART_PIO2 M_PI_2
#define CUDART_PIO4 M_PI_4
#define CUDART_SQRT_TWO M_SQRT2
#define CUDART_LN2 M_LN2
#define CUDART_L2E M_LOG2E
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#endif
