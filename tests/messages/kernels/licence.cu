/* SPDX-License-Identifier: MIT */
/* about: x */
__global__ void licence(int n) {}
