// Code on the device: modules, entries, parameter blocks, launches. The last point's code stays loaded, so that a sweep
// over arguments neither compiles nor loads anything again.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "base/embed.h"
#include "device/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

static void arch_name(const struct cuda_device *d, char text[16])
{
    snprintf(text, 16, "sm_%d%d", d->prop.major, d->prop.minor);
}

// What the code calls the entry that the source calls `name`.
static const char *entry_name(const struct cuda_device *d, const char *name)
{
    const struct code_entry *e = code_entry_named(d->loaded.code, name);
    return e ? e->name : name;
}

bool cuda_function(struct cuda_device *d, CUmodule module, const char *name, CUfunction *function, struct diags *diags)
{
    if (module == d->loaded.module) name = entry_name(d, name);
    if (module == d->loaded.module && d->loaded.given &&
        d->driver.cuModuleGetFunction(function, d->loaded.given, name) == CUDA_SUCCESS)
        return true;
    return cuda_ok_driver(d, d->driver.cuModuleGetFunction(function, module, name), diags, "finding the entry `%s`",
        name);
}

static const void *image_of(const struct code *code) { return code->cubin ? code->cubin : code->ptx; }

static bool load(struct cuda_device *d, const void *image, CUmodule *module, struct diags *diags)
{
    char log[512] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    CUresult error = d->driver.cuModuleLoadDataEx(module, image, 2, options, values);
    log[strcspn(log, "\n")] = 0;
    return cuda_ok_driver(d, error, diags, "loading the code%s%s", *log ? ": " : "", log);
}

bool cuda_helpers_load(struct cuda_device *d, struct diags *diags)
{
    if (d->helpers.module) return true;
    const char *path = "runner/device/cuda/cuda_kernels.cu";
    const struct embedded *fill = embed_find("runner/compile/text/fill.h"), *kernels = embed_find(path);
    if (!fill || !kernels) return diag_system(diags, NULL, "the program was built without %s", path);
    char arch[16];
    arch_name(d, arch);
    const struct compile_options options = {.arch = arch};
    struct str text = {0};
    str_addf(&text, "#define FILL_FUNCTION static __device__\n%s#line 1 \"%s\"\n%s", fill->text, path, kernels->text);
    // One process has one GPU: its contexts load the same code.
    static struct code *code;
    const bool compiled = code || compile_code(text.text, path, &options, &code, diags);
    str_release(&text);
    if (!compiled) return false;
    CUmodule module;
    if (!load(d, image_of(code), &module, diags)) return false;
    d->helpers.module = module;
    const struct {
        const char *name;
        CUfunction *function;
    } entries[] = {{"gpuexp_gate", &d->helpers.gate}, {"gpuexp_stamp", &d->helpers.stamp},
        {"gpuexp_empty", &d->helpers.empty}, {"gpuexp_flush", &d->helpers.flush}, {"gpuexp_fill", &d->helpers.fill},
        {"gpuexp_touch", &d->helpers.touch}, {"gpuexp_touch_warp", &d->helpers.touch_warp},
        {"gpuexp_compare", &d->helpers.compare}, {"gpuexp_digest", &d->helpers.digest},
        {"gpuexp_turn", &d->helpers.turn}, {"gpuexp_warm", &d->helpers.warm}, {"gpuexp_unlike", &d->helpers.unlike}};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (!cuda_function(d, module, entries[i].name, entries[i].function, diags)) return false;
    return true;
}

// `name` is what the code calls `entry`.
static bool lay(const char *ptx, const char *entry, const char *name, struct cuda_params *p, struct diags *diags)
{
    p->count = ptx_params(ptx, name, p->list, CUDA_ARGUMENTS, &p->size);
    if (p->count < 0) {
        char names[200];
        ptx_entries(ptx, names, sizeof names);
        return diag_user(diags, (struct where){0}, NULL, "there is no entry `%s`; there are: %s", entry, names);
    }
    if (p->count > CUDA_ARGUMENTS || p->size > CUDA_PARAMS)
        return diag_user(diags, (struct where){0}, NULL, "`%s` takes more arguments than a launch can (%d, %d bytes)",
            entry, CUDA_ARGUMENTS, CUDA_PARAMS);
    memset(p->bytes, 0, p->size);
    return true;
}

// Loads the text, unless it is what is there already.
static bool load_text(struct cuda_device *d, const char *source, const char *path, int maxregs, struct cuda_loaded *to,
    struct diags *diags)
{
    char arch[16];
    arch_name(d, arch);
    struct compile_options options = {.arch = arch, .maxregs = maxregs};
    struct hash hash;
    uint64_t sum[2];
    hash_init(&hash);
    hash_text(&hash, source);
    hash_text(&hash, path);
    hash_u64(&hash, (uint64_t)maxregs);
    hash_final(hash, sum);
    if (to->module && memcmp(sum, to->hash, sizeof sum) == 0) return true;
    struct cuda_loaded fresh = {.hash = {sum[0], sum[1]}};
    if (!compile_code(source, path, &options, &fresh.code, diags)) return false;
    if (!load(d, image_of(fresh.code), &fresh.module, diags) ||
        (fresh.code->given && !load(d, fresh.code->given, &fresh.given, diags)) ||
        !cuda_variables_keep(d, &fresh, diags)) {
        cuda_variables_free(&fresh);
        code_free(fresh.code);
        return false;
    }
    cuda_variables_free(to);
    if (to->module && !d->counting) d->driver.cuModuleUnload(to->module); // else it goes with the context
    if (to->given && !d->counting) d->driver.cuModuleUnload(to->given);
    if (to->code) code_free(to->code);
    *to = fresh;
    return true;
}

bool cuda_code_load(struct cuda_device *d, const struct job *job, struct diags *diags)
{
    const int maxregs = (int)asks_whole(job, SETTING_MAXREGS, 0);
    LOCAL(mem_drop) char *source = compile_source(job, diags);
    const bool ok = source && load_text(d, source, job->path, maxregs, &d->loaded, diags) &&
        (!job->contract || load_text(d, job->contract, job->contract_path, maxregs, &d->contract, diags));
    if (ok && job->context <= 1) code_notes(d->loaded.code, source, diags);
    return ok;
}

bool cuda_contract_entry(struct cuda_device *d, const char *name, CUfunction *function, struct cuda_params *p,
    struct diags *diags)
{
    const struct cuda_loaded *of = d->point.job->contract ? &d->contract : &d->loaded;
    return cuda_function(d, of->module, name, function, diags) && lay(of->code->ptx, name, name, p, diags);
}

bool cuda_code_has(const struct cuda_device *d, const char *entry, const char *const *words)
{
    return ptx_has(d->loaded.code->ptx, entry_name(d, entry), words);
}

bool cuda_params_lay(struct cuda_device *d, const char *entry, struct cuda_params *p, struct diags *diags)
{
    return lay(d->loaded.code->ptx, entry, entry_name(d, entry), p, diags);
}

bool cuda_params_pointer(struct cuda_params *p, int i, const void *address)
{
    return i < p->count && pack_address(p->bytes, &p->list[i], (uint64_t)(uintptr_t)address);
}

bool cuda_params_value(struct cuda_params *p, int i, struct value value)
{
    return cuda_params_typed(p, i, NULL, value);
}

bool cuda_params_typed(struct cuda_params *p, int i, const char *type, struct value value)
{
    return i < p->count && pack_number(p->bytes, &p->list[i], type, value);
}

// A GPU's parameters begin at a multiple of 16 bytes. Where one is aligned to more, the compiler moves them all, and
// the driver alone knows how far: it then gets each by itself, and not the block.
static bool are_moved(struct cuda_params *p, void *each[CUDA_ARGUMENTS])
{
    bool moved = false;
    for (int i = 0; i < p->count; i++) {
        each[i] = p->bytes + p->list[i].offset;
        moved |= p->list[i].align > 16;
    }
    return moved;
}

bool cuda_launch(struct cuda_device *d, CUfunction function, const uint32_t grid[3], const uint32_t block[3],
    uint32_t shared, cudaStream_t stream, struct cuda_params *p, struct diags *diags)
{
    void *extra[] = {
        CU_LAUNCH_PARAM_BUFFER_POINTER, p->bytes, CU_LAUNCH_PARAM_BUFFER_SIZE, &p->size, CU_LAUNCH_PARAM_END};
    void *each[CUDA_ARGUMENTS];
    const bool moved = are_moved(p, each);
    CUresult error = d->driver.cuLaunchKernel(function, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared,
        stream, moved ? each : NULL, moved ? NULL : extra);
    return error == CUDA_SUCCESS ||
        cuda_ok_driver(d, error, diags, "launching %ux%ux%u blocks of %ux%ux%u threads, %u B dynamic shared", grid[0],
            grid[1], grid[2], block[0], block[1], block[2], shared);
}

bool cuda_launch_own(struct cuda_device *d, CUfunction function, const uint32_t grid[3], const uint32_t block[3],
    uint32_t shared, cudaStream_t stream, struct cuda_params *p, struct diags *diags)
{
    const struct cuda_manner *m = &d->point.manner;
    CUlaunchAttribute attributes[2];
    unsigned count = 0;
    if (m->cooperative)
        attributes[count++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE, .value.cooperative = 1};
    if (m->cluster[0])
        attributes[count++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
            .value.clusterDim = {m->cluster[0], m->cluster[1], m->cluster[2]}};
    if (!count) return cuda_launch(d, function, grid, block, shared, stream, p, diags);
    void *extra[] = {
        CU_LAUNCH_PARAM_BUFFER_POINTER, p->bytes, CU_LAUNCH_PARAM_BUFFER_SIZE, &p->size, CU_LAUNCH_PARAM_END};
    void *each[CUDA_ARGUMENTS];
    const bool moved = are_moved(p, each);
    const CUlaunchConfig config = {.gridDimX = grid[0],
        .gridDimY = grid[1],
        .gridDimZ = grid[2],
        .blockDimX = block[0],
        .blockDimY = block[1],
        .blockDimZ = block[2],
        .sharedMemBytes = shared,
        .hStream = stream,
        .attrs = attributes,
        .numAttrs = count};
    const CUresult error = d->driver.cuLaunchKernelEx(&config, function, moved ? each : NULL, moved ? NULL : extra);
    return error == CUDA_SUCCESS ||
        cuda_ok_driver(d, error, diags, "launching %ux%ux%u blocks of %ux%ux%u threads%s%s", grid[0], grid[1], grid[2],
            block[0], block[1], block[2], m->cooperative ? ", all at once" : "", m->cluster[0] ? ", in clusters" : "");
}

bool cuda_launch_helper(struct cuda_device *d, CUfunction function, unsigned blocks, unsigned threads,
    cudaStream_t stream, void **arguments, struct diags *diags)
{
    CUresult error = d->driver.cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, NULL);
    return error == CUDA_SUCCESS || cuda_ok_driver(d, error, diags, "launching a helper kernel");
}

bool cuda_launch_over(struct cuda_device *d, CUfunction function, uint64_t count, void **arguments, struct diags *diags)
{
    const uint64_t blocks = count / 256 + 1, most = (uint64_t)d->prop.multiProcessorCount * 8;
    return cuda_launch_helper(d, function, (unsigned)(blocks < most ? blocks : most), 256, d->stream, arguments, diags);
}
#endif
