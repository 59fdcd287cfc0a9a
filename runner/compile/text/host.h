// The runtime of CUDA for a program that holds a description's `host` lines: a launch is written down, not done. It is
// linked in place of NVIDIA's. A buffer is an address that nothing lies at.
// SPDX-License-Identifier: MIT
#include <cuda.h>
#include <cuda_runtime.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <unistd.h>

namespace {

enum { KERNELS = 4096, MAPS = 64, PARAMS = 256, BUFFERS = 64 };
enum facts { FACT_FIRST, FACT_APART, FACT_PROGRAM, FACT_SMS, FACT_L2, FACT_SHARED, FACT_SHARED_SM, FACT_REGS, FACTS };
const uint64_t map_mark = 0x6d61704f66ull << 24; // a tensor map's words are this, its number and their own

struct stub_name {
    const void *stub;
    const char *name;
} kernels[KERNELS];
struct store {
    char *next, *end;
} scratch;
int kernel_count, map_count;
// What the code allocates itself, behind the described buffers. Its content is what is copied there before a launch.
struct own_memory {
    size_t bytes;
    char *content; // NULL: nothing was copied
    bool managed;  // the host writes at its address itself
} pieces[BUFFERS];
int described, piece_count;
bool launched; // a kernel of the source
uint64_t facts[FACTS];
FILE *out;
const char *out_path;
const char *sizes; // lines "NAME size size ..." of all entries

[[noreturn]] void refuse(const char *form, ...)
{
    va_list more;
    va_start(more, form);
    vfprintf(stderr, form, more);
    fflush(stderr);
    _exit(3);
}

char *address_of(int buffer) { return (char *)(facts[FACT_FIRST] + buffer * facts[FACT_APART]); }

void keep(struct own_memory *p)
{
    if (p->content) return;
    p->content = (char *)calloc(1, p->bytes + 1);
    if (!p->content) refuse("there is no memory for %zu bytes", p->bytes);
}

// Nothing that comes behind a first result is known here: an own `main` ends, once it has launched.
[[noreturn]] void end()
{
    bool good = !fclose(out);
    for (int i = 0; i < piece_count; i++) {
        char path[4096];
        if (!pieces[i].content) continue;
        snprintf(path, sizeof path, "%s.%d", out_path, i);
        FILE *f = fopen(path, "w");
        good = good && f && fwrite(pieces[i].content, 1, pieces[i].bytes, f) == pieces[i].bytes && !fclose(f);
    }
    _exit(good ? 0 : 4);
}

void at_exit()
{
    if (launched) end(); // whatever its own check said of a result that is not there
}

// The piece of an address, where it may still get content; `end` ends what comes behind a launch.
struct own_memory *piece_at(const void *p, size_t bytes, size_t *offset)
{
    const size_t at = (uint64_t)p - facts[FACT_FIRST], i = at / facts[FACT_APART];
    if (i < (size_t)described || i - described >= (size_t)piece_count) return nullptr;
    if (launched && facts[FACT_PROGRAM]) end();
    struct own_memory *found = &pieces[i - described];
    *offset = at % facts[FACT_APART];
    if (launched) return nullptr;
    if (*offset > found->bytes || bytes > found->bytes - *offset)
        refuse("it copies %zu bytes beyond what it allocated", bytes);
    return found;
}

const char *name_of(const void *stub)
{
    for (int i = 0; i < kernel_count; i++)
        if (kernels[i].stub == stub) return kernels[i].name;
    refuse("a kernel is launched that this program does not have");
}

// The next size of the entry's parameters; 0: there are no more.
const char *sizes_of(const char *name)
{
    const size_t n = strlen(name);
    for (const char *line = sizes; *line; line = strchr(line, '\n') + 1)
        if (!strncmp(line, name, n) && (line[n] == ' ' || line[n] == '\n')) return line + n;
    refuse("`%s` is not among the compiled kernels", name);
}

void put_value(const void *value, size_t size)
{
    fprintf(out, "argument %zu", size);
    for (size_t at = 0; at < size; at += 8) {
        uint64_t word = 0;
        memcpy(&word, (const char *)value + at, size - at < 8 ? size - at : 8);
        fprintf(out, " %llx", (unsigned long long)word);
    }
    fputs("\n", out);
}

void begin(const char *name, dim3 grid, dim3 block, size_t shared, const unsigned cluster[3], bool cooperative)
{
    fprintf(out, "launch %s %u %u %u %u %u %u %zu %u %u %u %d\n", name, grid.x, grid.y, grid.z, block.x, block.y,
        block.z, shared, cluster[0], cluster[1], cluster[2], cooperative);
}

cudaError_t launch(const void *stub, dim3 grid, dim3 block, void **values, size_t shared, const unsigned cluster[3],
    bool cooperative)
{
    const char *name = name_of(stub);
    char *size = (char *)sizes_of(name);
    for (int i = 0; i < piece_count && !launched; i++) // what the host has written there
        if (pieces[i].managed) keep(&pieces[i]), memcpy(pieces[i].content, address_of(described + i), pieces[i].bytes);
    launched = true;
    begin(name, grid, block, shared, cluster, cooperative);
    for (int i = 0; *size == ' '; i++) {
        const size_t n = strtoul(size, &size, 10);
        put_value(values[i], n);
    }
    return cudaSuccess;
}

struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
} configured;
const unsigned alone[3] = {0, 0, 0};

char *read_all(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) refuse("%s cannot be read", path);
    char *text = (char *)calloc(1, 1 << 22);
    if (!text || fread(text, 1, (1 << 22) - 1, f) == 0) text = (char *)"";
    fclose(f);
    return text;
}

bool is_ours(const void *p)
{
    return (uint64_t)p >= facts[FACT_FIRST] && (uint64_t)p < facts[FACT_FIRST] + 64 * facts[FACT_APART];
}

// Nothing of what was before stands in the gaps of structures that are made there.
__attribute__((noinline)) void clear_stack()
{
    volatile char stack[1 << 18];
    for (volatile char &byte : stack) byte = 0;
}

} // namespace

extern "C" {

void gpuexp_host_run(void **buffers, const long long *whole, const double *real);

void **__cudaRegisterFatBinary(void *) { static void *handle; return &handle; }
void __cudaRegisterFatBinaryEnd(void **) {}
void __cudaUnregisterFatBinary(void **) {}
char __cudaInitModule(void **) { return 0; }
void __cudaRegisterFunction(void **, const char *stub, char *, const char *name, int, uint3 *, uint3 *, dim3 *, dim3 *,
    int *)
{
    if (kernel_count < KERNELS) kernels[kernel_count++] = {stub, name};
}
void __cudaRegisterVar(void **, char *, char *, const char *, int, size_t, int, int) {}
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st *stream)
{
    configured = {grid, block, shared, stream};
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream)
{
    *grid = configured.grid, *block = configured.block, *shared = configured.shared;
    *(cudaStream_t *)stream = configured.stream;
    return cudaSuccess;
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *stub)
{
    *kernel = (cudaKernel_t)stub;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **values, size_t shared, cudaStream_t)
{
    return launch((const void *)kernel, grid, block, values, shared, alone, false);
}
cudaError_t cudaLaunchKernel(const void *stub, dim3 grid, dim3 block, void **values, size_t shared, cudaStream_t)
{
    return launch(stub, grid, block, values, shared, alone, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void *stub, dim3 grid, dim3 block, void **values, size_t shared,
    cudaStream_t)
{
    return launch(stub, grid, block, values, shared, alone, true);
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *stub, void **values)
{
    unsigned cluster[3] = {0, 0, 0};
    bool cooperative = false;
    for (unsigned i = 0; i < c->numAttrs; i++) {
        const cudaLaunchAttribute &a = c->attrs[i];
        if (a.id == cudaLaunchAttributeCooperative) cooperative = a.val.cooperative;
        if (a.id != cudaLaunchAttributeClusterDimension) continue;
        cluster[0] = a.val.clusterDim.x, cluster[1] = a.val.clusterDim.y, cluster[2] = a.val.clusterDim.z;
    }
    return launch(stub, c->gridDim, c->blockDim, values, c->dynamicSmemBytes, cluster, cooperative);
}

// What a launch does not hang on is done, as far as can be seen.
cudaError_t cudaMemGetInfo(size_t *left, size_t *all) { return *left = *all = 80ull << 30, cudaSuccess; }
cudaError_t cudaMallocHost(void **p, size_t bytes) { return *p = malloc(bytes), cudaSuccess; }
cudaError_t cudaHostAlloc(void **p, size_t bytes, unsigned) { return *p = malloc(bytes), cudaSuccess; }
cudaError_t cudaFreeHost(void *p) { return free(p), cudaSuccess; }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned) { return cudaSuccess; }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned) { return *e = NULL, cudaSuccess; }
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) { return cudaSuccess; }
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t) { return "no error"; }
const char *cudaGetErrorName(cudaError_t) { return "cudaSuccess"; }
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize()
{
    for (int i = 0; i < piece_count; i++)
        if (pieces[i].managed && launched && facts[FACT_PROGRAM]) end(); // now the host reads
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaFree(void *) { return cudaSuccess; }
cudaError_t cudaFreeAsync(void *, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGetDevice(int *d) { return *d = 0, cudaSuccess; }
cudaError_t cudaGetDeviceCount(int *n) { return *n = 1, cudaSuccess; }
cudaError_t cudaDriverGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int *v) { return *v = CUDART_VERSION, cudaSuccess; }
cudaError_t cudaStreamCreate(cudaStream_t *s) { return *s = NULL, cudaSuccess; }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned) { return *s = NULL, cudaSuccess; }
cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *s)
{
    return *s = cudaStreamCaptureStatusNone, cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *e) { return *e = NULL, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { return *ms = 1, cudaSuccess; }

// The device is one of compute capability 9.0, with the figures of the point's.
cudaError_t cudaDeviceGetAttribute(int *v, cudaDeviceAttr which, int)
{
    switch (which) {
    case cudaDevAttrMultiProcessorCount: *v = (int)facts[FACT_SMS]; break;
    case cudaDevAttrL2CacheSize: *v = (int)facts[FACT_L2]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *v = 48 << 10; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: *v = (int)facts[FACT_SHARED]; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *v = (int)facts[FACT_SHARED_SM]; break;
    case cudaDevAttrReservedSharedMemoryPerBlock: *v = 1024; break;
    case cudaDevAttrComputeCapabilityMajor: *v = 9; break;
    case cudaDevAttrComputeCapabilityMinor: *v = 0; break;
    case cudaDevAttrWarpSize: *v = 32; break;
    case cudaDevAttrMaxThreadsPerBlock: *v = 1024; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *v = 2048; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *v = 32; break;
    case cudaDevAttrMaxRegistersPerBlock:
    case cudaDevAttrMaxRegistersPerMultiprocessor: *v = (int)facts[FACT_REGS]; break;
    case cudaDevAttrMaxGridDimX: *v = 0x7fffffff; break;
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *v = 65535; break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY: *v = 1024; break;
    case cudaDevAttrMaxBlockDimZ: *v = 64; break;
    case cudaDevAttrCooperativeLaunch:
    case cudaDevAttrMemoryPoolsSupported: *v = 1; break;
    default: refuse("cudaDeviceGetAttribute is asked for attribute %d, which has no answer here", (int)which);
    }
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int)
{
    memset(p, 0, sizeof *p);
    strcpy(p->name, "the point's device");
    p->major = 9, p->warpSize = 32, p->multiProcessorCount = (int)facts[FACT_SMS], p->l2CacheSize = (int)facts[FACT_L2];
    p->maxThreadsPerBlock = 1024, p->maxThreadsPerMultiProcessor = 2048, p->maxBlocksPerMultiProcessor = 32;
    p->sharedMemPerBlock = 48 << 10, p->sharedMemPerBlockOptin = facts[FACT_SHARED];
    p->sharedMemPerMultiprocessor = facts[FACT_SHARED_SM], p->reservedSharedMemPerBlock = 1024;
    p->regsPerBlock = p->regsPerMultiprocessor = (int)facts[FACT_REGS], p->totalGlobalMem = 80ull << 30;
    p->maxGridSize[0] = 0x7fffffff, p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024, p->maxThreadsDim[2] = 64;
    return cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, const void *)
{
    memset(a, 0, sizeof *a);
    a->maxThreadsPerBlock = 1024, a->binaryVersion = a->ptxVersion = 90, a->numRegs = 32;
    a->maxDynamicSharedSizeBytes = (int)facts[FACT_SHARED];
    return cudaSuccess;
}
// By threads and dynamic shared memory: the registers are not known here.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *n, const void *, int threads, size_t shared,
    unsigned)
{
    const int by_threads = 2048 / (threads > 0 ? threads : 1);
    const int by_shared = (int)(facts[FACT_SHARED_SM] / (shared + 1024));
    *n = by_threads < by_shared ? by_threads : by_shared;
    if (*n > 32) *n = 32;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *n, const void *f, int threads, size_t shared)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(n, f, threads, shared, 0);
}

// Memory: the buffer `scratch` of the description, piece by piece. Without one each piece is a buffer.
cudaError_t cudaMalloc(void **p, size_t bytes)
{
    const size_t piece = (bytes + 255) / 256 * 256;
    if (scratch.next) {
        if (piece > (size_t)(scratch.end - scratch.next))
            refuse("it allocates %zu bytes, and `scratch` has %zu left", bytes, (size_t)(scratch.end - scratch.next));
        *p = scratch.next, scratch.next += piece;
        return cudaSuccess;
    }
    if (described + piece_count == BUFFERS) refuse("it allocates more than %d times", BUFFERS);
    if (bytes >> 34) return cudaErrorMemoryAllocation;
    *p = address_of(described + piece_count);
    pieces[piece_count++] = {bytes, nullptr, false};
    fprintf(out, "buffer %zu\n", bytes);
    return cudaSuccess;
}
cudaError_t cudaMallocManaged(void **p, size_t bytes, unsigned)
{
    if (scratch.next) refuse("it calls `cudaMallocManaged`, and memory comes from `scratch`");
    const cudaError_t error = cudaMalloc(p, bytes);
    if (error) return error;
    pieces[piece_count - 1].managed = true;
    if (mmap(*p, bytes + !bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
            0) != *p)
        refuse("%zu bytes of managed memory cannot be had", bytes);
    return cudaSuccess;
}
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t) { return cudaMalloc(p, bytes); }
// Within the device it is a launch, of a kernel of ours.
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind)
{
    size_t offset;
    struct own_memory *p = is_ours(to) != is_ours(from) ? piece_at(is_ours(to) ? to : from, bytes, &offset) : nullptr;
    if (p) {
        keep(p);
        char *const at = (p->managed ? address_of(described + (p - pieces)) : p->content) + offset;
        if (is_ours(to)) memcpy(at, from, bytes);
        else memcpy(to, at, bytes);
        return cudaSuccess;
    }
    if (is_ours(to) != is_ours(from))
        refuse("it copies %zu bytes %s the device: a buffer gets its content by `fill`, and its check looks at it",
            bytes, is_ours(to) ? "to" : "from");
    if (!is_ours(to)) return memcpy(to, from, bytes), cudaSuccess;
    begin("gpuexp_copy", dim3(bytes / 1024 + 1), dim3(256), 0, alone, false);
    put_value(&to, 8), put_value(&from, 8), put_value(&bytes, 8);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t)
{
    return cudaMemcpy(to, from, bytes, kind);
}
cudaError_t cudaMemset(void *to, int value, size_t bytes)
{
    size_t offset;
    struct own_memory *p = is_ours(to) && !launched ? piece_at(to, bytes, &offset) : nullptr;
    if (p) keep(p);
    if (p) to = (p->managed ? address_of(described + (p - pieces)) : p->content) + offset;
    if (p || !is_ours(to)) return memset(to, value, bytes), cudaSuccess;
    begin("gpuexp_set", dim3(bytes / 1024 + 1), dim3(256), 0, alone, false);
    put_value(&to, 8), put_value(&value, 4), put_value(&bytes, 8);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *p, int value, size_t bytes, cudaStream_t) { return cudaMemset(p, value, bytes); }

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *at,
    const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box, const cuuint32_t *step,
    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promote,
    CUtensorMapFloatOOBfill outside)
{
    uint64_t words[sizeof *map / 8];
    if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE) refuse("a tensor map is interleaved, which is not known here");
    if (map_count == MAPS) refuse("it makes more than %d tensor maps", MAPS);
    for (unsigned i = 0; i < sizeof words / 8; i++) words[i] = map_mark | (uint64_t)map_count << 8 | i;
    memcpy(map, words, sizeof words);
    fprintf(out, "map %llx %d %u %d %d %d", (unsigned long long)(uintptr_t)at, (int)type, rank, (int)swizzle,
        (int)promote, (int)outside);
    for (unsigned i = 0; i < rank; i++)
        fprintf(out, " %llu %llu %u %u", (unsigned long long)size[i], i ? (unsigned long long)stride[i - 1] : 0, box[i],
            step ? step[i] : 1);
    fputs("\n", out);
    map_count++;
    return CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult, const char **text) { return *text = "no error", CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult, const char **text) { return *text = "CUDA_SUCCESS", CUDA_SUCCESS; }
cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned, unsigned long long,
    cudaDriverEntryPointQueryResult *how)
{
    if (strcmp(name, "cuTensorMapEncodeTiled") != 0) refuse("it asks the driver for %s", name);
    *function = (void *)cuTensorMapEncodeTiled;
    if (how) *how = cudaDriverEntryPointSuccess;
    return cudaSuccess;
}
#if CUDART_VERSION < 13000
cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long,
    cudaDriverEntryPointQueryResult *how)
{
    return cudaGetDriverEntryPointByVersion(name, function, 0, 0, how);
}
#endif

} // extern "C"

// PROGRAM OUT SIZES facts... then of each value: b BYTES, s BYTES (the buffer `scratch`), i WHOLE, r REAL.
int main(int argc, char **argv)
{
    void *buffers[BUFFERS] = {0};
    long long whole[BUFFERS] = {0};
    double real[BUFFERS] = {0};
    int n = 0;
    if (!getenv("GPUEXP_STEADY")) { // what is between the members of a structure is the same each time, too
        setenv("GPUEXP_STEADY", "1", 1);
        personality(ADDR_NO_RANDOMIZE);
        execv("/proc/self/exe", argv);
    }
    out = fopen(out_path = argv[1], "w");
    sizes = read_all(argv[2]);
    if (!out) refuse("%s cannot be written", argv[1]);
    for (int i = 0; i < FACTS; i++) facts[i] = strtoull(argv[3 + i], NULL, 10);
    for (int i = 3 + FACTS; i + 1 < argc; i += 2) {
        char *const at = address_of(described);
        const char kind = *argv[i];
        if (kind == 's') scratch = {at, at + strtoull(argv[i + 1], NULL, 10)};
        if (kind == 'b' || kind == 's') buffers[described++] = at;
        else if (kind == 'i') whole[n++] = strtoll(argv[i + 1], NULL, 10);
        else real[n++] = strtod(argv[i + 1], NULL);
    }
    mallopt(M_PERTURB, 0xff); // memory is 0 at first
    clear_stack();
    if (facts[FACT_PROGRAM]) atexit(at_exit);
    gpuexp_host_run(buffers, whole, real);
    end();
}

// A function that the program calls and that nobody has: nvcc.c adds a line for each.
#define MISSING(name) \
    void no_##name() __asm__(#name); \
    void no_##name() { refuse("it calls `%s`, which is not known here", #name); }
