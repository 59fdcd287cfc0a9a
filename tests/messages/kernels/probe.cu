/*
about: A kernel for the tests of messages; nothing runs it.
params:
  n:       {default: 1Mi, min: 1, about: elements}
  stride:  {default: 1, min: 1, max: 1024, about: distance}
  scale:   {default: 1.5, about: takes fractions}
  gain:    {default: 1, about: takes fractions because the argument does}
  small:   {default: 1, about: as wide as an int}
  T:       {kind: type, default: float, one_of: [float, double, int4]}
  tile:    {kind: constant, default: 32, one_of: [16, 32]}
  order:   {kind: constant, default: forward, one_of: [forward, reverse]}
  checked: {kind: constant, default: true}
  variant: {default: plain, one_of: [plain, fast]}
buffers:
  in:  {type: T, count: n, access: read}
  out: {type: T, count: n, access: write}
reports: {cycles: what the clock says}
threads: n
useful: 2 * n * sizeof(T)
*/
extern "C" __global__ void probe_plain(const T *in, T *out, size_t n, size_t stride, double scale, float gain, int small, long long *cycles)
{
    if (checked && order == order_forward) out[threadIdx.x * tile % n] = in[0];
}
extern "C" __global__ void probe_fast(const T *in, T *out, size_t n) {}
