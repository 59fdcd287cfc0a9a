// Runs `check`, or what `expected` returns is held against, over all elements of what the last launch wrote.
// SPDX-License-Identifier: MIT
#ifdef GPUEXP_HAVE_CUDA
#include "device/cuda/cuda.h"

bool cuda_check_lay(struct cuda_device *d, int lane, struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const struct cuda_buffer *buffers = p->buffers + (size_t)lane * p->job->buffer_count;
    struct compile_argument take_list[CUDA_ARGUMENTS];
    if (!p->job->check) return true;
    if (!cuda_contract_entry(d, "gpuexp_check", &p->check, &p->check_params, diags)) return false;
    const size_t n = compile_check_arguments(p->job, take_list, CUDA_ARGUMENTS);
    bool ok = n <= CUDA_ARGUMENTS && (int)n == p->check_params.count;
    for (size_t i = 0; ok && i < n; i++) {
        const struct compile_argument *t = &take_list[i];
        switch (t->take) {
        case TAKE_BUFFER:
            ok = cuda_params_pointer(&p->check_params, (int)i,
                buffers[(int)t->index + p->job->buffers[t->index].swapped].flat);
            break;
        case TAKE_BEFORE: ok = cuda_params_pointer(&p->check_params, (int)i, buffers[t->index].before->address); break;
        case TAKE_SCALAR: ok = cuda_params_value(&p->check_params, (int)i, p->job->scalars[t->index].value); break;
        case TAKE_TOLERANCE:
            ok = cuda_params_value(&p->check_params, (int)i, value_real(p->job->tolerance[t->index]));
            break;
        case TAKE_LENGTH:
            ok = cuda_params_value(&p->check_params, (int)i, value_int((int64_t)p->job->buffers[t->index].count));
            break;
        case TAKE_COUNT:
            ok = cuda_params_value(&p->check_params, (int)i, value_int((int64_t)p->job->check_count));
            break;
        case TAKE_RESULT: ok = cuda_params_pointer(&p->check_params, (int)i, d->result); break;
        }
    }
    return ok || diag_user(diags, (struct where){0}, NULL, "the arguments of `check` do not fit what was compiled");
}

struct checked { // a lane's buffers
    struct cuda_device *d;
    const struct cuda_buffer *buffers;
};

static bool fetch(void *context, size_t i, bool before, uint64_t element, void *bytes)
{
    const struct checked *c = context;
    const struct job_buffer *b = &c->d->point.job->buffers[i];
    const struct cuda_block *was = c->buffers[i].before;
    const char *from = before ? (was ? was->address : NULL) : c->buffers[(int)i + b->swapped].flat;
    return from && !cudaMemcpy(bytes, from + element * b->element_bytes, b->element_bytes, cudaMemcpyDefault);
}

static bool run(struct cuda_device *d, uint64_t result[CHECK_WORDS], struct diags *diags)
{
    struct cuda_point *p = &d->point;
    const size_t bytes = CHECK_WORDS * sizeof *result;
    const uint64_t blocks = (p->job->check_count + 255) / 256, most = (uint64_t)d->prop.multiProcessorCount * 32;
    const uint32_t grid[3] = {(uint32_t)(blocks < most ? blocks + !blocks : most), 1, 1}, block[3] = {256, 1, 1};
    return cuda_ok(d, cudaMemcpyAsync(d->result, result, bytes, cudaMemcpyHostToDevice, d->stream), diags,
               "clearing the verdict") &&
        cuda_launch(d, p->check, grid, block, 0, d->stream, &p->check_params, diags) &&
        cuda_ok(d, cudaMemcpyAsync(result, d->result, bytes, cudaMemcpyDeviceToHost, d->stream), diags,
            "reading the verdict") &&
        cuda_ok(d, cudaStreamSynchronize(d->stream), diags, "checking the result of `%s`", p->job->entry);
}

static bool check(struct cuda_device *d, int lane, const struct device_look *look, struct result_check *verdict,
    struct diags *diags)
{
    struct cuda_point *p = &d->point;
    struct checked of = {d, p->buffers + (size_t)lane * p->job->buffer_count};
    const uint64_t pieces = p->job->check_count / 256, few = 8;
    uint64_t result[CHECK_WORDS] = {[CHECK_FIRST] = UINT64_MAX, [CHECK_ASKED] = UINT64_MAX};
    // Of so few pieces that none might be drawn all are looked at.
    result[CHECK_PART] = look->part < pieces / few ? look->part : pieces / few;
    result[CHECK_PICK] = look->pick * 0x9e3779b97f4a7c15u; // another draw than that of the inputs
    if (!cuda_check_lay(d, lane, diags)) return false;
    for (size_t i = 0; i < p->job->buffer_count; i++)
        if (!cuda_flatten(d, &p->buffers[(size_t)lane * p->job->buffer_count + i], diags)) return false;
    if (!run(d, result, diags)) return false;
    verdict->checked += p->job->check_count;
    if (result[CHECK_WRONG] && !verdict->wrong) { // what was expected there is asked for once more
        verdict->first = result[CHECK_ASKED] = result[CHECK_FIRST];
        verdict->wrong = result[CHECK_WRONG];
        if (p->job->expect_count && !run(d, result, diags)) return false;
        found_fill(&verdict->found, p->job, result, fetch, &of);
    } else {
        verdict->wrong += result[CHECK_WRONG];
    }
    return true;
}

bool cuda_check(struct cuda_device *d, const struct device_look *look, struct result_check *verdict,
    struct diags *diags)
{
    struct cuda_point *p = &d->point;
    verdict->verified = true;
    for (int l = 0; l < p->lanes; l++)
        if (!check(d, l, look, verdict, diags)) return false;
    p->suspect = verdict->wrong > 0;
    return verdict->wrong || cuda_base_compare(d, look, verdict, diags);
}
#endif
