// A point on the device: from code to filled buffers, the one run that is verified, and the end, when all is given
// back.
//
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "compile/occupancy.h"
#include "device/cuda/cuda.h"
#include "device/host_fill.h"
#include "spec/columns.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int function_attribute(struct cuda_device *d, CUfunction f, CUfunction_attribute which)
{
    int value = 0;
    return d->driver.cuFuncGetAttribute(&value, which, f) ? 0 : value;
}

static uint32_t threads(const struct job *job) { return job->block[0] * job->block[1] * job->block[2]; }

// A point that this GPU cannot run has not failed: it is skipped, and the limit is named.
static bool within_limits(struct cuda_device *d, const struct job *job, bool *skip, struct diags *diags)
{
    const struct where nowhere = {0};
    const int most = function_attribute(d, d->point.kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    const size_t fixed = (size_t)function_attribute(d, d->point.kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    *skip = true;
    if ((int64_t)threads(job) > most)
        return diag_user(diags, nowhere, NULL,
            "%u threads a block: this GPU runs at most %d of this kernel (its registers included)", threads(job), most);
    for (int i = 0; i < 3; i++) {
        if (job->grid[i] > (uint32_t)d->prop.maxGridSize[i])
            return diag_user(diags, nowhere, NULL, "a grid of %u blocks in %c: this GPU takes %d", job->grid[i],
                "xyz"[i], d -> prop.maxGridSize[i]);
        if (job->block[i] > (uint32_t)d->prop.maxThreadsDim[i])
            return diag_user(diags, nowhere, NULL, "%u threads in %c: this GPU takes %d", job->block[i], "xyz"[i],
                d -> prop.maxThreadsDim[i]);
    }
    if (job->shared + fixed > d->prop.sharedMemPerBlockOptin)
        return diag_user(diags, nowhere, NULL, "%zu bytes of shared memory a block: this GPU has %zu",
            (size_t)job->shared + fixed, d->prop.sharedMemPerBlockOptin);
    *skip = false;
    return true;
}

static void known_facts(struct cuda_device *d, const struct job *job, double *columns)
{
    CUfunction f = d->point.kernel;
    columns[COLUMN_REGS] = function_attribute(d, f, CU_FUNC_ATTRIBUTE_NUM_REGS);
    columns[COLUMN_LOCAL_BYTES] = function_attribute(d, f, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    columns[COLUMN_SHARED_BYTES] = (double)job->shared + function_attribute(d, f, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    const struct code_entry *entry = code_entry_named(d->loaded.code, job->entry);
    if (entry && entry->spill_bytes >= 0) columns[COLUMN_SPILL_BYTES] = entry->spill_bytes;
    int blocks = 0;
    if (!d->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, (int)threads(job), job->shared))
        columns[COLUMN_OCCUPANCY_PCT] =
            occupancy_share(blocks, (int)threads(job), d->prop.maxThreadsPerMultiProcessor / 32);
    double bytes = 0;
    for (size_t i = 0; i < d->point.buffer_count; i++) bytes += (double)d->point.buffers[i].bytes;
    columns[COLUMN_MEMORY_BYTES] = bytes;
}

static struct cuda_block *take(struct cuda_device *d, struct cuda_buffer *b, uint64_t content, struct diags *diags)
{
    const enum cuda_kind kind = cuda_kind_of(b->job), asked = cuda_kind_shaped(kind) ? CUDA_DEVICE : kind;
    const bool oversubscribe = asks_true(d->point.job, SETTING_ALLOW_OVERSUBSCRIPTION);
    if (asked == CUDA_MANAGED && !oversubscribe && b->bytes > cuda_memory_free(d)) {
        cuda_blocks_free(d, false);
        if (b->bytes > cuda_memory_free(d)) {
            diag_system(diags, "smaller sizes, or `allow_oversubscription: true` (never on a GPU that others share)",
                "managed `%s` asks for %zu bytes, %zu are free on the GPU", b->job->name, b->bytes,
                cuda_memory_free(d));
            return NULL;
        }
    }
    return cuda_block_take(d, asked, b->bytes, content, b->job->name, diags);
}

static bool buffer_prepare(struct cuda_device *d, size_t i, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    struct cuda_buffer *b = &p->buffers[i];
    const struct job_buffer *j = &p->job->buffers[i % p->job->buffer_count];
    *b = (struct cuda_buffer){.job = j, .bytes = j->bytes};
    const uint64_t content = b->job->access == ACCESS_READ ? host_fill_content(b->job) : 0;
    p->buffer_count = i + 1;
    b->block = take(d, b, content, diags);
    if (!b->block) return false;
    b->flat = b->block->address;
    if (b->block->kind == CUDA_MANAGED) p->managed = true;
    const bool ready = content && b->block->content == content;
    b->block->content = 0; // until it is filled, and for as long as the kernel may write to it
    if (b->job->access != ACCESS_WRITE && !ready && !cuda_fill(d, b, diags)) return false;
    if (!cuda_layout_prepare(d, b, diags) || (b->job->access != ACCESS_WRITE && !cuda_shape(d, b, diags))) return false;
    if (b->job->access != ACCESS_BOTH) return true;
    b->before = cuda_block_take(d, CUDA_DEVICE, b->bytes, 0, b->job->name, diags);
    return b->before &&
        cuda_ok(d, cudaMemcpyAsync(b->before->address, b->flat, b->bytes, cudaMemcpyDefault, d->stream), diags,
            "keeping the first content of `%s`", b->job->name);
}

// The arguments that C++ on the device makes, one after the other, for the caller to free.
static bool arguments_make(struct cuda_device *d, int lane, size_t count, unsigned char **made, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    struct cuda_params *params = &p->chunk_params; // free until the point is prepared
    const struct job *job = p->job;
    const uint32_t one[3] = {1, 1, 1};
    const size_t bytes = count * COMPILE_MADE_BYTES;
    CUfunction function;
    int n = 0;
    if (!cuda_function(d, d->loaded.module, "gpuexp_arguments", &function, diags) ||
        !cuda_params_lay(d, "gpuexp_arguments", params, diags))
        return false;
    struct cuda_block *out = cuda_block_take(d, CUDA_DEVICE, bytes, 0, "arguments", diags);
    if (!out) return false;
    bool ok = true;
    for (size_t i = 0; ok && i < job->buffer_count; i++)
        ok = cuda_params_pointer(params, n++, p->buffers[(size_t)lane * job->buffer_count + i].address);
    for (size_t i = 0; ok && i < job->scalar_count; i++) {
        const struct value v = job->scalars[i].value;
        if (v.kind == VALUE_INT || v.kind == VALUE_REAL || v.kind == VALUE_BOOL) ok = cuda_params_value(params, n++, v);
    }
    for (size_t i = 0; ok && i < job->map_count; i++) {
        const struct job_argument *a = &job->maps[i];
        ok = cuda_tensor_lay(d, &p->buffers[(size_t)lane * job->buffer_count + (size_t)a->buffer], a, params, n++);
    }
    ok = ok && cuda_params_pointer(params, n++, out->address) && n == params->count;
    if (!ok) diag_user(diags, (struct where){0}, NULL, "what `arguments` need does not fit what was compiled");
    *made = mem_alloc(bytes);
    ok = ok && cuda_launch(d, function, one, one, 0, d->stream, params, diags) &&
        cuda_ok(d, cudaMemcpyAsync(*made, out->address, bytes, cudaMemcpyDeviceToHost, d->stream), diags,
            "reading arguments") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "making arguments");
    cuda_block_give(d, out, 0);
    return ok;
}

// Everything that a launch needs is ready before anything is timed: a sequence costs what its launches cost.
static bool launches_lay(struct cuda_device *d, int lane, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct job *job = p->job;
    const size_t count = job_made(job), launches = job_launches(job);
    unsigned char *made = NULL;
    const struct job_launch first = job_launch(job, 0);
    bool good = (!count || arguments_make(d, lane, count, &made, diags)) &&
        cuda_arguments_lay(d, lane, &first, made, &p->params[lane], diags);
    if (good && lane == 0 && launches > 1) p->then = mem_alloc((launches - 1) * sizeof *p->then);
    for (size_t i = 1; good && lane == 0 && i < launches; i++) {
        const struct job_launch l = job_launch(job, i);
        struct cuda_prepared *to = &p->then[i - 1];
        memcpy(to->grid, l.grid, sizeof to->grid);
        memcpy(to->block, l.block, sizeof to->block);
        to->shared = l.shared;
        good = cuda_function(d, d->loaded.module, l.entry, &to->kernel, diags) &&
            cuda_dress(d, to->kernel, l.shared, diags) && cuda_arguments_lay(d, lane, &l, made, &to->params, diags);
        p->then_count = i;
    }
    free(made);
    return good;
}

// A cooperative launch of more blocks than fit at once is refused by the driver without a number.
static bool all_at_once(struct cuda_device *d, const struct job *job, bool *skip, struct diags *diags)
{
    int each = 0;
    const uint64_t blocks = (uint64_t)job->grid[0] * job->grid[1] * job->grid[2];
    if (!d->point.manner.cooperative) return true;
    if (d->driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, d->point.kernel, (int)threads(job), job->shared))
        return true;
    const uint64_t most = (uint64_t)each * (uint64_t)d->prop.multiProcessorCount;
    *skip = blocks > most;
    return blocks <= most ||
        diag_user(diags, (struct where){0}, NULL, "`cooperative`: %llu blocks; this GPU runs at most %llu at once",
            (unsigned long long)blocks, (unsigned long long)most);
}

static bool point_prepare(struct cuda_device *d, double *columns, bool *skip, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct job *job = p->job;
    p->lanes = asks_is(job, SETTING_TIMED, "launch") ? (int)asks_whole(job, SETTING_STREAMS, 1) : 1;
    const size_t buffers = job->buffer_count * (size_t)p->lanes;
    if (buffers > CUDA_BUFFERS) return diag_user(diags, (struct where){0}, NULL, "more than %d buffers", CUDA_BUFFERS);
    if (!cuda_streams_make(d, p->lanes, diags)) return false;
    // What the last point left in variables of the source is no business of this one.
    if (!cuda_helpers_load(d, diags) || !cuda_code_load(d, job, diags) || !cuda_variables_reset(d, diags)) return false;
    if (!cuda_function(d, d->loaded.module, job->entry, &p->kernel, diags)) return false;
    if (!within_limits(d, job, skip, diags)) return false;
    p->persists = strstr(d->loaded.code->ptx, "evict_last") != NULL;
    p->manner.cooperative = asks_true(job, SETTING_COOPERATIVE);
    if (!asks_dimensions(job, SETTING_CLUSTER, p->manner.cluster)) p->manner.cluster[0] = 0;
    if (!cuda_dress(d, p->kernel, job->shared, diags) || !all_at_once(d, job, skip, diags)) return false;
    for (size_t i = 0; i < buffers; i++)
        if (!buffer_prepare(d, i, diags)) return false;
    p->filled = true;
    p->reports = cuda_block_take(d, CUDA_DEVICE, 8 * (job->report_count + 1), 0, "reports", diags);
    if (!p->reports || !cuda_check_lay(d, 0, diags)) return false;
    for (int l = 0; l < p->lanes; l++)
        if (!launches_lay(d, l, diags)) return false;
    known_facts(d, job, columns);
    return cuda_base_prepare(d, diags) && cuda_transfer_prepare(d, diags) && cuda_window_prepare(d, diags) &&
        cuda_graph_prepare(d, diags) && cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "filling the buffers");
}

bool cuda_prepare(struct cuda_device *d, const struct job *job, double *columns, bool *skip, struct diags *diags)
{
    *skip = false;
    if (d->broken)
        return diag_system(diags, NULL, "%s at an earlier point: this process has lost the GPU",
            cudaGetErrorName(d->broken));
    cuda_finish(d); // of a point that did not end well
    d->point.job = job;
    d->point.shared = job->shared;
    return point_prepare(d, columns, skip, diags);
}

bool cuda_verify(struct cuda_device *d, struct result_check *says, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct device_look whole = {0};
    *says = (struct result_check){0};
    if (!cuda_inputs_note(d, &whole, diags)) return false;
    for (size_t i = 0; i < p->buffer_count; i++)
        if (p->buffers[i].job->access == ACCESS_WRITE && !cuda_poison(d, &p->buffers[i], diags)) return false;
    if (!cuda_ok(d, cudaMemsetAsync(p->reports->address, 0, p->reports->bytes, d->stream), diags,
            "clearing the reports"))
        return false;
    if (p->is_copy) {
        if (!cuda_transfer_verify(d, says, diags)) return false;
    } else {
        if (!cuda_restore(d, diags)) return false;
        cuda_weak_note(d, diags);
        if (!cuda_submit_named(d, diags)) return false;
    }
    if (!cuda_inputs_compare(d, says, diags)) return false;
    if (!p->job->check || says->changed || asks_is(p->job, SETTING_TIMED, "upload")) return true;
    return cuda_check_note(d, diags) && cuda_check(d, &whole, says, diags) && cuda_check_compare(d, diags) &&
        (says->compared || cuda_weak_ask(d, says, diags));
}

void cuda_finish(struct cuda_device *d)
{
    struct cuda_point *p = &d->point;
    if (!p->job) return;
    cuda_window_off(d);
    if (p->graph) cudaGraphExecDestroy(p->graph);
    free(p->then);
    for (size_t i = 0; i < p->buffer_count; i++) {
        struct cuda_buffer *b = &p->buffers[i];
        const bool same = b->job->access == ACCESS_READ && p->filled && !p->refilled && !p->suspect;
        cuda_layout_finish(b);
        cuda_block_give(d, b->block, same ? host_fill_content(b->job) : 0);
        cuda_block_give(d, b->before, 0);
        cuda_block_give(d, b->host, 0);
    }
    cuda_base_finish(d);
    cuda_block_give(d, p->reports, 0);
    cuda_block_give(d, p->maps, 0);
    *p = (struct cuda_point){0};
}

// Its memory is freed first, with what keeps the places apart, which is drawn anew. (Another stream would be a draw
// too, but one that is used makes every later sample of its context 0.13 us longer.)
bool cuda_move(struct cuda_device *d, struct diags *diags)
{
    const struct job *job = d->point.job;
    double columns[COLUMN_COUNT];
    bool skip;
    if (!cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "moving the buffers of `%s`", job->entry)) return false;
    d->blocks.moving = true;
    cuda_finish(d);
    d->blocks.moving = false;
    cuda_pads_free(d);
    return cuda_prepare(d, job, columns, &skip, diags);
}
#endif
