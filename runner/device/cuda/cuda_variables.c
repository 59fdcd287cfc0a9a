// Variables of the source: what a launch leaves there the next one finds, unless they are put back.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"
#include "ptx/module.h"
#include "ptx/params.h"

#include <stdlib.h>
#include <string.h>

// One that the source gives no value is zero: of that no copy has to be kept.
static bool keep(struct cuda_device *d, CUmodule module, const struct ptx_var *of, struct cuda_loaded *l,
    struct diags *diags)
{
    CUdeviceptr address;
    size_t bytes;
    const char *name = of->name;
    // What the machine code has dropped cannot carry anything from launch to launch.
    if (d->driver.cuModuleGetGlobal(&address, &bytes, module, name)) return true;
    l->variables = mem_resize(l->variables, (l->variable_count + 1) * sizeof *l->variables);
    struct cuda_variable *v = &l->variables[l->variable_count];
    *v = (struct cuda_variable){.address = (void *)(uintptr_t)address, .bytes = bytes};
    if (!of->init_count) return ++l->variable_count;
    if (!cuda_ok(d, cudaMalloc(&v->kept, bytes), diags, "keeping the first content of `%s`", name)) return false;
    l->variable_count++;
    return cuda_ok(d, cudaMemcpyAsync(v->kept, v->address, bytes, cudaMemcpyDeviceToDevice, d->stream), diags,
        "keeping the first content of `%s`", name);
}

bool cuda_variables_keep(struct cuda_device *d, struct cuda_loaded *l, struct diags *diags)
{
    char error[256];
    const char *ptx = l->code->ptx;
    bool ok = true;
    // A line begins so where a variable is; most sources have none, and a PTX can be long.
    if (!strstr(ptx, "\n.global ") && !strstr(ptx, "\n.visible .global ") && !strstr(ptx, "\n.weak .global "))
        return true;
    LOCAL(arena_drop) struct arena *a = arena_new();
    const struct ptx_module *m = ptx_module_read(a, ptx, error);
    // Constants of the standard headers are some sixty variables that no code names; to put all of them back took a
    // third of a millisecond each time.
    for (const struct ptx_var *v = m ? m->vars : NULL; v && ok; v = v->next)
        if (v->space == PTX_GLOBAL && ptx_named_again(ptx, v->name)) ok = keep(d, l->module, v, l, diags);
    return ok;
}

void cuda_variables_free(struct cuda_loaded *l)
{
    for (size_t i = 0; i < l->variable_count; i++) cudaFree(l->variables[i].kept);
    free(l->variables);
    l->variables = NULL;
    l->variable_count = 0;
}

static bool is_buffer(const struct cuda_point *p, const void *address)
{
    for (size_t i = 0; i < p->buffer_count; i++)
        if (p->buffers[i].address == address) return true;
    return false;
}

bool cuda_variables_reset(struct cuda_device *d, struct diags *diags)
{
    for (size_t i = 0; i < d->loaded.variable_count; i++) {
        const struct cuda_variable *v = &d->loaded.variables[i];
        if (is_buffer(&d->point, v->address)) continue;
        const cudaError_t error = v->kept
            ? cudaMemcpyAsync(v->address, v->kept, v->bytes, cudaMemcpyDeviceToDevice, d->stream)
            : cudaMemsetAsync(v->address, 0, v->bytes, d->stream);
        if (!cuda_ok(d, error, diags, "resetting a variable of the source")) return false;
    }
    return true;
}
#endif
