/*
about: One algorithm of CUB, launched as its own host code does
params:
  n: {default: 20000, min: 7}
  T: {kind: type, default: int, one_of: [int, unsigned, long long, float, double, char, short]}
  does: {kind: constant, default: 0, min: 0, max: 5, about: which of the algorithms below}
buffers:
  in:      {type: T, count: n, access: read, fill: "(i * 7919 + i / 5) % 101"}
  from:    {type: int, count: n // 7 + 2, access: read, fill: 7 * i}
  both:    {type: T, count: n + 64, access: both, fill: "(i * 7919 + i / 3) % 97"}
  values:  {type: int, count: n, access: both, fill: i}
  out:     {type: T, count: 2 * n, access: both, fill: 0}
  counts:  {type: int, count: n + 64, access: both, fill: 0}
  few:     {type: int, count: 64, access: both, fill: 0}
  scratch: {type: char, count: 8Mi + 64 * n, access: both, fill: 0}
host: |
  const data d{in, from, both, values, out, counts, few, scratch, n};
  size_t bytes = 0;
  algorithm<does>::run(d, nullptr, bytes);
  algorithm<does>::run(d, scratch, bytes);
*/
#include <cub/cub.cuh>
struct data {
    const T *in;
    const int *from;
    T *both;
    int *values;
    T *out;
    int *counts, *few;
    char *scratch;
    size_t n;
};
struct less {
    __host__ __device__ bool operator()(T a, T b) const { return a < b; }
};
#define ALGORITHM(number, call) \
    template <> struct algorithm<number> { \
        template <class D> static void run(const D &d, void *temp, size_t &bytes) { call; } \
    };
template <int number> struct algorithm;
ALGORITHM(0, cub::DeviceRadixSort::SortPairs(temp, bytes, d.in, d.out, d.values, d.counts, d.n))
ALGORITHM(1, cub::DeviceMergeSort::SortPairs(temp, bytes, d.both, d.values, d.n, less()))
ALGORITHM(2, cub::DeviceHistogram::HistogramEven(temp, bytes, d.in, d.counts, 65, T(0), T(64), int(d.n)))
ALGORITHM(3, cub::DeviceRunLengthEncode::Encode(temp, bytes, d.both, d.out, d.counts, d.few, int(d.n)))
ALGORITHM(4, cub::DeviceScan::InclusiveSumByKey(temp, bytes, d.both, d.values, d.counts, d.n))
ALGORITHM(5, cub::DeviceSegmentedReduce::Sum(temp, bytes, d.in, d.out, int(d.n / 7), d.from, d.from + 1))
