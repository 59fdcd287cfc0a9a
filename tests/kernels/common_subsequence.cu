/*
about: The longest common subsequence of two texts, a launch a diagonal, whose length changes (after Hirschberg, 1975).
params: {n: 40, m: 30}
buffers:
  s:    {as: a, type: char, count: n, access: read, fill: "(char)('a' + i * 5 % 7)"}
  t:    {as: b, type: char, count: m, access: read, fill: "(char)('a' + i * i % 7)"}
  best: {type: short, count: (n + 1) * (m + 1), access: both, fill: 0}
sequence:
  - {launch: diagonal, repeat: n + m - 1, threads: "min(step + 1, n, m, n + m - 1 - step)", arguments: {d: step}}
block: 32
*/
__global__ void diagonal(const char *a, const char *b, short *best, int n, int m, int d)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x, x = min(d, n - 1) - k, y = d - x;
    if (x < 0 || y >= m) return;
    short *at = &best[(y + 1) * (n + 1) + x + 1], left = at[-1], up = at[-(n + 1)];
    *at = a[x] == b[y] ? at[-(n + 2)] + 1 : max((int)left, (int)up);
}
__device__ bool check(size_t i, const char *a, const char *b, const short *best, int n)
{
    int x = i % (n + 1), y = i / (n + 1);
    if (!x || !y) return best[i] == 0;
    int up = best[i - n - 1], left = best[i - 1], both = best[i - n - 2] + 1;
    return best[i] == (a[x - 1] == b[y - 1] ? both : up > left ? up : left);
}
