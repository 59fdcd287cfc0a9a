/*
abut: x
params:
  block: 3
  gbps: 1
  min: 1
  end: 1
  2x: 1
  a: {default: 5, min: 10}
  b: {default: x, one_of: [x, y]}
  c: {kind: constat, default: 1}
  d: {default: 1, one_of: [2, 3]}
  e: {min: 5, max: 1}
  f: {kind: type, default: flot}
  g: {default: 1, maximum: 3}
  h: [1, 2]
  i: {default: yes, kind: constant}
  j: {default: 64Mx}
  k: {default: 1, one_of: []}
  l: {kind: type, one_of: [float, duoble], min: 3}
  n: {kind: constant, default: 16}
  o: 3
buffers:
  in: {type: flaot, count: m, access: reed, fill: randm}
  out: {type: float, count: n n, access: write, fill: index}
  mid: {}
  n: {type: int, count: 1, access: read, step: 3}
  odd-one: 5
  made: {type: int, count: 1, access: read, fill: code}
reports: {status: what, x: {type: float4}, y: {typ: int}}
threads: [n, 1, 1, 1]
useful: 2 * siez * sizeof(T)
entry: brken
arguments: {mystry: 2 * n}
*/
extern "C" __global__ void broken(const float *in, float out, int *a, int mystery, int n, int) {}
__device__ bool check(const float *in, size_t q, float *mid_before) { return true; }
