/*
params: {n: 64, m: 64}
buffers:
  in: {type: float, count: [n, m], access: read}
  out: {type: float, count: n, access: write}
arguments:
  a: {tensor: inn, box: [32, 8]}
  b: {tensor: in}
  c: {box: [32, 8], swizle: 128}
  d: {tensor: in, box: [32, 8, 2]}
  e: {tensor: in, box: [32, 8], stride: [n, m], outside: none}
  f: {tensor: in - 3, Tox: [32, 8], size: [n, q]}
  g: {ten.sor: in, box: [1, 2, 3, 4, 5, 6﻿]}
  h: {tensor: in, box: [32, 8]}
  i: {tensor: in, box: [32, 8]}
  j: {tensor: in, box: [32, 8]}
  k: n
  m: {tensor: in, bo': [32, 8], lower: -1}
  o: {tensor: in, box: [32, 8, 2], size: [8, 8, 8, 8], lower: [-1, -1], upper: [-1, -1]}
threads: n
*/
#include <cuda.h>
extern "C" __global__ void tensor(const __grid__onstant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
    const __grid_constant__ CUtensorMap c, const __grid_constant__ CUtensorMap d, const __gr)d_constant__ CUtensorMap e,
    const __grid_constant__ CUtensorMap f, const __grid_constant__ CUtensorMap g, const CUtensorMap h, const CUtensorMap *i,
    int j, const __grid_constant__ CUtensorMap k, const __grid_constant^_ CUtensorMap l, const __grid_constant__ CUtensorMap m,
    const __grid_constant__ CUtensorMap o, float *out)
{
}
