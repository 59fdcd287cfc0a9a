/*
about: "The five loops of the STREAM family over whole vectors: copy, mul, add, triad and dot."
params:
  n:    {default: 32Mi, min: 1, about: elements of each vector}
  T:    {kind: type, default: double, one_of: [float, double], about: element type}
  loop:
    kind: constant
    default: triad
    one_of: [copy, mul, add, triad, dot]
    about: "copy: out = x; mul: out = 3 x; add: out = x + y; triad: out = x + 3 y; dot: the sum of x y, one number a
        block of 1024"
buffers:
  x:   {type: T, count: n, access: read, fill: random}
  y:   {type: T, count: "(loop == 'copy' or loop == 'mul') and 1 or n", access: read, fill: random}
  out: {type: T, count: "loop == 'dot' and ceil(n / 1024) or n", access: write}
threads: n
useful: "((loop == 'add' or loop == 'triad') and 3 or 2) * n * sizeof(T)"
flops: "({copy = 0, mul = 1, add = 1, triad = 2, dot = 2})[loop] * n"
*/

// The sum over a block of 1024 threads: within warps first, then over the 32 warps' sums. Right in thread 0.
__device__ T block_sum(T v)
{
    __shared__ T part[32];
    for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = part[threadIdx.x];
        for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
    }
    return v;
}

extern "C" __global__ void stream(const T *x, const T *y, T *out, size_t n)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (loop == loop_dot) {
        const T sum = block_sum(i < n ? x[i] * y[i] : 0);
        if (threadIdx.x == 0) out[blockIdx.x] = sum;
        return;
    }
    if (i >= n) return;
    if (loop == loop_copy) out[i] = x[i];
    if (loop == loop_mul) out[i] = 3 * x[i];
    if (loop == loop_add) out[i] = x[i] + y[i];
    if (loop == loop_triad) out[i] = x[i] + 3 * y[i];
}

// Equal but for the rounding of the last digits: a product and a sum may be one instruction or two, a sum has many
// orders.
__device__ bool near(T a, T b)
{
    const T apart = a > b ? a - b : b - a;
    return apart <= b * (sizeof(T) == 4 ? (T)1e-5 : (T)1e-13);
}

__device__ bool check(size_t i, const T *x, const T *y, const T *out, size_t n)
{
    if (loop == loop_copy) return out[i] == x[i];
    if (loop == loop_mul) return near(out[i], 3 * x[i]);
    if (loop == loop_add) return near(out[i], x[i] + y[i]);
    if (loop == loop_triad) return near(out[i], x[i] + 3 * y[i]);
    T sum = 0;
    for (size_t k = i * 1024; k < n && k < (i + 1) * 1024; k++) sum += x[k] * y[k];
    return near(out[i], sum);
}
