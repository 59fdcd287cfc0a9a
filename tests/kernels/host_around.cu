/*
about: A program with all that a host has around its kernel, of which no device compiler knows anything (sums of rows).
params: {rows: 60, columns: 100}
buffers:
  in:  {type: float, count: rows * columns, access: read, fill: i % 7 - 3}
  out: {type: float, count: rows, access: write}
threads: rows
*/
#include <sys/time.h>
#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <string>
#include <vector>
#include <cublas_v2.h>
using namespace std::chrono;

// An error's name, the program's end: as in many samples, under this name.
template <typename T> void check(T result, const char *what, int line)
{
    if (result) fprintf(stderr, "%s, line %d: %d\n", what, line, (int)result), exit(EXIT_FAILURE);
}
#define CHECKED(call) check((call), #call, __LINE__)

static std::map<std::string, double> taken;
enum Part { UPLOAD, RUN };
static const int LANES = 32;

class Watch {
public:
    explicit Watch(std::string name) : name(name) { gettimeofday(&since, NULL); }
    ~Watch() { stop(); }
    void stop();

private:
    std::string name;
    struct timeval since;
};

void Watch::stop()
{
    struct timeval now;
    gettimeofday(&now, NULL);
    taken[name] += now.tv_sec - since.tv_sec + 1e-6 * (now.tv_usec - since.tv_usec);
}

struct Shape {
    int rows, columns;
    float *room() const
    {
        float *p;
        CHECKED(cudaMalloc(&p, rows * columns * sizeof *p));
        return p;
    }
};

std::ostream &operator<<(std::ostream &to, const Shape &s) { return to << s.rows << " x " << s.columns; }

int index_of(Shape s, int row, int column) { return row * s.columns + column; } // without a mark: for both

__global__ void sum_rows(const float *in, float *out, int rows, int columns)
{
    const Shape s = {rows, columns};
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int c = 0; row < rows && c < columns; c++) sum += in[index_of(s, row, c)];
    if (row < rows) out[row] = sum;
}

template <typename T> std::vector<T> drawn(size_t n)
{
    std::mt19937 engine(1);
    std::uniform_real_distribution<T> from(0, 1);
    std::vector<T> v(n);
    std::generate(v.begin(), v.end(), [&] { return from(engine); });
    return v;
}

float largest_error(const std::vector<float> &a, const std::vector<float> &b)
{
    float most = 0;
    for (size_t i = 0; i < a.size(); i++) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

int main()
{
    const Shape s = {1 << 12, 1 << 10};
    const auto host = drawn<float>(s.rows * s.columns);
    float *in = s.room(), *out = s.room();
    CHECKED(cudaMemcpy(in, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
    const auto begin = high_resolution_clock::now();
    {
        Watch watch("run");
        sum_rows<<<s.rows / LANES, LANES>>>(in, out, s.rows, s.columns);
        CHECKED(cudaDeviceSynchronize());
    }
    std::cout << s << duration_cast<microseconds>(high_resolution_clock::now() - begin).count() << std::endl;
}

__device__ bool check(size_t i, const float *in, const float *out, int columns)
{
    float sum = 0;
    for (int c = 0; c < columns; c++) sum += in[i * columns + c];
    return out[i] == sum && in[0] == -3;
}
