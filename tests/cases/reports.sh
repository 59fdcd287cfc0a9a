# What a kernel reports is the number that it wrote, for every type of one number; a flag reaches it as one.
# SPDX-License-Identifier: MIT
cat > types.cu <<'END'
/*
about: reports one value of each type
params:
  n: {default: 32, min: 1, about: threads}
buffers:
  out: {type: int, count: n, access: write}
reports:
  r_bool: {type: bool}
  r_char: {type: char}
  r_schar: {type: int8_t}
  r_uchar: {type: unsigned char}
  r_short: {type: short}
  r_ushort: {type: uint16_t}
  r_int: {type: int}
  r_uint: {type: unsigned}
  r_long: {type: long}
  r_longlong: {type: int64_t}
  r_ulong: {type: size_t}
  r_float: {type: float}
  r_double: {type: double}
  r_half: {type: half}
threads: n
*/
extern "C" __global__ void types(int *out, size_t n, bool *r_bool, char *r_char, int8_t *r_schar,
    unsigned char *r_uchar, short *r_short, uint16_t *r_ushort, int *r_int, unsigned *r_uint, long *r_long,
    int64_t *r_longlong, size_t *r_ulong, float *r_float, double *r_double, half *r_half)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = (int)i;
    if (i) return;
    *r_bool = true;
    *r_char = -10;
    *r_schar = -128;
    *r_uchar = 250;
    *r_short = -10;
    *r_ushort = 65526;
    *r_int = -10;
    *r_uint = 4294967286u;
    *r_long = -10;
    *r_longlong = -10;
    *r_ulong = (size_t)1 << 52;
    *r_float = -1.5f;
    *r_double = -1.25;
    *r_half = __float2half(1.5f);
}
__device__ bool check(size_t i, const int *out) { return out[i] == (int)i; }
END
printf 'kernel: ./types.cu\nwith: {device: sim}\n' > types.yaml
need gpuexp types.yaml -q
while read -r name number; do
    need [ "$name $(cells reports/types.csv "$name")" = "$name $number" ]
done <<'END'
status ok
r_bool 1
r_char -10
r_schar -128
r_uchar 250
r_short -10
r_ushort 65526
r_int -10
r_uint 4294967286
r_long -10
r_longlong -10
r_ulong 4503599627370496
r_float -1.5
r_double -1.25
r_half 1.5
END

# A flag is a parameter like any other.
cat > flag.cu <<'END'
/*
about: says whether its flag is up
params:
  n: {default: 32, min: 1, about: threads}
  up: {default: true, about: a flag}
buffers:
  out: {type: int, count: n, access: write}
reports:
  seen: {type: int}
threads: n
*/
extern "C" __global__ void flag(int *out, size_t n, bool up, int *seen)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = up;
    if (i == 0) *seen = up ? 7 : 5;
}
__device__ bool check(size_t i, const int *out, bool up) { return out[i] == up; }
END
printf 'kernel: ./flag.cu\nwith: {device: sim}\nsweep: {up: [true, false]}\n' > flag.yaml
need gpuexp flag.yaml -q
seen() { for name in up status seen; do cells reports/flag.csv $name; done | tr '\n' ' '; }
need [ "$(seen)" = "true false ok ok 7 5 " ]
