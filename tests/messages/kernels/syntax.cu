// first
/*
about: x
params: {n: 1, n: 2}
threads: n: 3
*/
__global__ void syntax(int n) {}
