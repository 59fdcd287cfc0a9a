// The corner of C++'s library that kernels use: std:: names of mathematics, numeric_limits, swap and the few traits of
// templates. For <limits>, <type_traits>, <utility>, <algorithm>, <functional>, and in front of every kernel. Carried
// in the binary.
// SPDX-License-Identifier: MIT
#ifndef GPUEXP_STANDARD_CXX_H
#define GPUEXP_STANDARD_CXX_H
#ifndef GPUEXP_BOTH
#define GPUEXP_BOTH __host__ __device__ __forceinline__
#endif
namespace std {
using ::size_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t;
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::hypot; using ::pow; using ::fmod; using ::fma;
using ::exp; using ::exp2; using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan; using ::atan2;
using ::sinh; using ::cosh; using ::tanh; using ::erf; using ::erfc;
using ::floor; using ::ceil; using ::trunc; using ::round; using ::rint; using ::fmin; using ::fmax; using ::copysign;
using ::isnan; using ::isinf; using ::isfinite;
using ::memcpy; using ::memset;

template <class T> GPUEXP_BOTH constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }
template <class T> GPUEXP_BOTH constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }
template <class T> GPUEXP_BOTH constexpr void swap(T &a, T &b) { T t = a; a = b; b = t; }

template <class T, T v> struct integral_constant {
    static constexpr T value = v;
    typedef T value_type;
    GPUEXP_BOTH constexpr operator T() const { return v; }
};
template <bool v> using bool_constant = integral_constant<bool, v>;
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <bool c, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool c, class A, class B> using conditional_t = typename conditional<c, A, B>::type;
template <bool c, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool c, class T = void> using enable_if_t = typename enable_if<c, T>::type;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_cv { typedef T type; };
template <class T> struct remove_cv<const T> { typedef T type; };
template <class T> struct remove_cv<volatile T> { typedef T type; };
template <class T> struct remove_cv<const volatile T> { typedef T type; };
template <class T> using remove_cv_t = typename remove_cv<T>::type;
template <class T> struct is_floating_point
    : integral_constant<bool, is_same_v<remove_cv_t<T>, float> || is_same_v<remove_cv_t<T>, double>> {};
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> struct is_integral : false_type {};
template <class T> inline constexpr bool is_integral_v = is_integral<remove_cv_t<T>>::value;
#ifdef __clang__ // NVRTC has these two of its own
template <class T> GPUEXP_BOTH constexpr remove_reference_t<T> &&move(T &&t)
{ return static_cast<remove_reference_t<T> &&>(t); }
template <class T> GPUEXP_BOTH constexpr T &&forward(remove_reference_t<T> &t) { return static_cast<T &&>(t); }
#endif
template <class T = void> struct plus {
    GPUEXP_BOTH constexpr T operator()(const T &a, const T &b) const { return a + b; }
};
template <class T = void> struct less {
    GPUEXP_BOTH constexpr bool operator()(const T &a, const T &b) const { return a < b; }
};
template <class T = void> struct greater {
    GPUEXP_BOTH constexpr bool operator()(const T &a, const T &b) const { return b < a; }
};

template <class T> struct numeric_limits { static constexpr bool is_specialized = false; };
#define GPUEXP_WHOLE(T, least, most) \
    template <> struct is_integral<T> : true_type {}; \
    template <> struct numeric_limits<T> { \
        static constexpr bool is_specialized = true, is_integer = true, has_infinity = false; \
        static constexpr bool is_signed = (T)-1 < (T)1; \
        GPUEXP_BOTH static constexpr T min() noexcept { return least; } \
        GPUEXP_BOTH static constexpr T lowest() noexcept { return least; } \
        GPUEXP_BOTH static constexpr T max() noexcept { return most; } \
        GPUEXP_BOTH static constexpr T epsilon() noexcept { return 0; } \
    };
GPUEXP_WHOLE(bool, false, true)
GPUEXP_WHOLE(char, (char)SCHAR_MIN, (char)SCHAR_MAX)
GPUEXP_WHOLE(signed char, SCHAR_MIN, SCHAR_MAX)
GPUEXP_WHOLE(unsigned char, 0, UCHAR_MAX)
GPUEXP_WHOLE(short, SHRT_MIN, SHRT_MAX)
GPUEXP_WHOLE(unsigned short, 0, USHRT_MAX)
GPUEXP_WHOLE(int, INT_MIN, INT_MAX)
GPUEXP_WHOLE(unsigned, 0, UINT_MAX)
GPUEXP_WHOLE(long, LONG_MIN, LONG_MAX)
GPUEXP_WHOLE(unsigned long, 0, ULONG_MAX)
GPUEXP_WHOLE(long long, LLONG_MIN, LLONG_MAX)
GPUEXP_WHOLE(unsigned long long, 0, ULLONG_MAX)
#define GPUEXP_REAL(T, least, most, step, infinite, digits2) \
    template <> struct numeric_limits<T> { \
        static constexpr bool is_specialized = true, is_integer = false, is_signed = true, has_infinity = true; \
        static constexpr int digits = digits2; \
        GPUEXP_BOTH static constexpr T min() noexcept { return least; } \
        GPUEXP_BOTH static constexpr T lowest() noexcept { return -most; } \
        GPUEXP_BOTH static constexpr T max() noexcept { return most; } \
        GPUEXP_BOTH static constexpr T epsilon() noexcept { return step; } \
        GPUEXP_BOTH static constexpr T infinity() noexcept { return infinite; } \
        GPUEXP_BOTH static constexpr T quiet_NaN() noexcept { return NAN; } \
    };
GPUEXP_REAL(float, FLT_MIN, FLT_MAX, FLT_EPSILON, HUGE_VALF, 24)
GPUEXP_REAL(double, DBL_MIN, DBL_MAX, DBL_EPSILON, HUGE_VAL, 53)
} // namespace std
#endif
