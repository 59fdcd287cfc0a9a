/* about: x
   params: {n: 1, variant: {one_of: [a, b, c]}}
   threads: n
   useful: 2 * m
*/
__global__ void entry_a(int n, int k) {}
template <class T> __global__ void entry_b(int n) {}
void entry_c() {}
