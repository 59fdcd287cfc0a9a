// The run that verifies a point, and what is done once more where it leaves a doubt: on other inputs, in other orders,
// with other contents of what nothing wrote, or with all blocks side by side.
// SPDX-License-Identifier: MIT
#include <string.h>

#include "device/host_fill.h"
#include "device/sim/sim_device.h"
#include "plan/asks.h"
#include "spec/columns.h"

// Whether a kernel could know in its second launch that there was a first.

static bool is_buffer(const struct sim_point *p, uint64_t address)
{
    for (size_t i = 0; i < p->job->buffer_count; i++)
        if (p->buffers[i].address == address) return true;
    return false;
}

// Could a second launch of this kernel know that there was a first?
// By a variable of the source that was written, by its own output, or by a clock. What it should only read is locked.
static bool sim_may_remember(struct sim_device *dev)
{
    const struct sim_point *p = &dev->point;
    uint64_t address;
    bool may = p->counts.reads_clock;
    for (size_t i = 0; (address = sim_variable(dev->module, i)); i++)
        may |= (sim_touched(dev->sim, address) & SIM_STORED) && !is_buffer(p, address);
    for (size_t i = 0; i < p->job->buffer_count; i++) {
        const unsigned touched = sim_touched(dev->sim, p->buffers[i].address);
        may |= p->job->buffers[i].access == ACCESS_WRITE && (touched & SIM_LOADED);
    }
    return may;
}

// Runs `check`, or what `expected` returns is held against, over all elements of a point on the simulator.

// The buffer that has that name after a sequence.
static struct sim_buffer *buffer_of(struct sim_device *dev, size_t k)
{
    return &dev->point.buffers[(int)k + dev->point.job->buffers[k].swapped];
}

static bool fetch(void *context, size_t i, bool before, uint64_t element, void *bytes)
{
    struct sim_device *dev = context;
    const uint64_t size = dev->point.job->buffers[i].element_bytes;
    const struct sim_block *b = before ? dev->point.buffers[i].before : buffer_of(dev, i)->block;
    const void *from = b ? sim_host(dev->sim, b->address + element * size, (size_t)size) : NULL;
    if (from) memcpy(bytes, from, (size_t)size);
    return from != NULL;
}

static struct pack_value taken(struct sim_device *dev, const struct compile_argument *take, uint64_t result)
{
    static const char *const tolerances[] = {"abs", "rel"};
    const struct job *job = dev->point.job;
    const size_t k = take->index;
    switch (take->take) {
    case TAKE_BUFFER:
        return (struct pack_value){
            .name = job->buffers[k].name, .is_address = true, .address = buffer_of(dev, k)->block->address};
    case TAKE_BEFORE:
        return (struct pack_value){
            .name = job->buffers[k].name, .is_address = true, .address = dev->point.buffers[k].before->address};
    case TAKE_SCALAR: return (struct pack_value){.name = job->scalars[k].name, .value = job->scalars[k].value};
    case TAKE_TOLERANCE: return (struct pack_value){.name = tolerances[k], .value = value_real(job->tolerance[k])};
    case TAKE_LENGTH: return (struct pack_value){.name = "length", .value = value_int((int64_t)job->buffers[k].count)};
    case TAKE_COUNT: return (struct pack_value){.name = "n", .value = value_int((int64_t)job->check_count)};
    case TAKE_RESULT: break;
    }
    return (struct pack_value){.name = "result", .is_address = true, .address = result};
}

// One that writes makes right what it is to find wrong.
static void lock_all(struct sim_device *dev, bool lock)
{
    const struct job *job = dev->point.job;
    for (size_t i = 0; i < job->buffer_count; i++)
        sim_lock(dev->sim, dev->point.buffers[i].block->address, (uint32_t)job->buffers[i].element_bytes, lock);
}

// Of CHECK_PART parts of them. `spoils`: what was found wrong is what was to be, and needs no value.
static bool check(struct sim_device *dev, uint64_t parts, bool spoils, struct result_check *v, struct diags *d)
{
    struct sim_point *p = &dev->point;
    const struct job *job = p->job;
    struct compile_argument take[256];
    const size_t n = compile_check_arguments(job, take, 256);
    struct pack_value *values = arena_alloc(dev->arena, 256 * sizeof *values);
    const uint64_t at = sim_alloc(dev->sim, CHECK_WORDS * sizeof(uint64_t), "gpuexp_result");
    uint64_t *result = at ? sim_host(dev->sim, at, CHECK_WORDS * sizeof(uint64_t)) : NULL;
    if (!result) return diag_system(d, NULL, "no memory on this machine for the check's result");
    memset(result, 0, CHECK_WORDS * sizeof *result);
    result[CHECK_FIRST] = result[CHECK_ASKED] = UINT64_MAX;
    result[CHECK_PART] = parts;
    for (size_t i = 0; i < n && i < 256; i++) values[i] = taken(dev, &take[i], at);
    lock_all(dev, true);
    bool good = sim_run_generated(dev, p->check, "gpuexp_check", job->check_count, values, n, d);
    *v = (struct result_check){
        .verified = true, .wrong = result[CHECK_WRONG], .checked = job->check_count, .first = result[CHECK_FIRST]};
    if (good && v->wrong && !spoils) { // what was expected there is asked for once more
        result[CHECK_ASKED] = v->first;
        good = !job->expect_count || sim_run_generated(dev, p->check, "gpuexp_check", job->check_count, values, n, d);
        found_fill(&v->found, job, result, fetch, dev);
    }
    lock_all(dev, false);
    sim_release(dev->sim, at);
    return good;
}

bool sim_check(struct sim_device *dev, struct result_check *v, struct diags *d) { return check(dev, 0, false, v, d); }

static bool weak_fetch(void *context, size_t i, uint64_t element, void *bytes)
{
    return fetch(context, i, false, element, bytes);
}

static bool weak_store(void *context, size_t i, uint64_t element, const void *bytes)
{
    struct sim_device *dev = context;
    const size_t size = dev->point.job->buffers[i].element_bytes;
    void *to = sim_host(dev->sim, buffer_of(dev, i)->block->address + element * size, size);
    if (to) memcpy(to, bytes, size);
    return to != NULL;
}

static bool weak_spoil(void *context, enum weak_off off)
{
    struct sim_device *dev = context;
    for (size_t i = 0; i < dev->point.job->buffer_count; i++) {
        const struct job_buffer *b = &dev->point.job->buffers[i];
        if (b->access == ACCESS_READ || !b->bytes) continue;
        host_fill_spoil(b, sim_host(dev->sim, dev->point.buffers[i].block->address, b->bytes), dev->threads,
            off == WEAK_NEAR);
    }
    return true;
}

static bool weak_check(void *context, uint64_t part, uint64_t *wrong)
{
    LOCAL(diags_clear) struct diags unheard = {0};
    struct result_check of;
    const bool good = check(context, part, true, &of, &unheard);
    *wrong = of.wrong;
    return good;
}

// What cannot be asked (it uses what was written as an index, say) stays unknown.
static struct weak_device weak_of(struct sim_device *dev)
{
    return (struct weak_device){dev, weak_fetch, weak_store, weak_spoil, weak_check, true};
}

// A kernel that went astray may have written where it should only read.
void sim_distrust(struct sim_device *dev)
{
    for (struct sim_block *b = dev->blocks; b; b = b->next)
        if (b->used) b->content = 0;
}
bool sim_trusts(const struct sim_device *dev)
{
    for (const struct sim_block *b = dev->blocks; b; b = b->next)
        if (b->used && b->content) return true;
    return false;
}

uint64_t sim_content(struct sim_device *dev)
{
    const struct job *job = dev->point.job;
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < job->buffer_count; i++) {
        const struct job_buffer *b = &job->buffers[i];
        if (b->access == ACCESS_READ) continue;
        const unsigned char *at = sim_host(dev->sim, dev->point.buffers[i].block->address, b->bytes ? b->bytes : 1);
        for (uint64_t k = 0, word = 0; k < b->bytes; k += sizeof word) {
            memcpy(&word, at + k, b->bytes - k < sizeof word ? b->bytes - k : sizeof word);
            hash = (hash ^ word) * 1099511628211u;
            hash ^= hash >> 32; // the upper bits of a word must reach the lower ones
        }
    }
    return hash;
}

bool sim_prepare_again(struct sim_device *dev, bool all, struct diags *d)
{
    const struct job *job = dev->point.job;
    double unused[COLUMN_COUNT];
    bool skip;
    if (all) sim_distrust(dev);
    sim_finish(dev);
    return sim_prepare(dev, job, unused, &skip, d);
}

// What is told of the first run, whatever is tried afterwards.
struct told {
    struct sim_counts counts;
    struct sim_races races;
    struct sim_expected expected;
};
static struct told told_of(const struct sim_point *p) { return (struct told){p->counts, p->races, p->expected}; }
static void tell_again(struct sim_point *p, const struct told *t)
{
    p->counts = t->counts, p->races = t->races, p->expected = t->expected;
}

// Runs it once more in another order; 0: in the same one, but reads that nothing orders see what was there before. What
// comes out differently, or not at all, goes to `racy`.
static bool in_other_order(struct sim_device *dev, uint64_t schedule, uint64_t content, bool exactly,
    struct result_check *v, struct diags *d)
{
    struct result_check other = {0};
    struct diags why = {0};
    char how[160] = "if a read misses a store that nothing orders before it,";
    if (schedule)
        snprintf(how, sizeof how, "with blocks and warps in another order (`schedule: %llu`)",
            (unsigned long long)schedule);
    if (!sim_prepare_again(dev, true, d)) return false;
    dev->stale = !schedule;
    const bool ran = sim_run(dev, schedule, &why);
    dev->stale = false;
    const struct sim_races races = dev->point.races;
    const bool good = ran && (!dev->point.check || sim_check(dev, &other, &why));
    if (!good && dev->waits) {
    } // a block came before the one that it waits for, which no GPU promises or forbids
    else if (!good)
        snprintf(v->racy, sizeof v->racy, "%s: %s", how, diags_first(&why));
    else if (other.wrong)
        snprintf(v->racy, sizeof v->racy, "%s %llu of %llu elements are wrong, the first is [%llu]", how,
            (unsigned long long)other.wrong, (unsigned long long)other.checked, (unsigned long long)other.first);
    else if ((exactly || races.global) && sim_content(dev) != content)
        snprintf(v->racy, sizeof v->racy, "%s the result is another", how);
    if (v->racy[0]) sim_distrust(dev);
    diags_clear(&why);
    return true;
}

// The line of a kernel that asks which lanes run together; 0: none does.
static int asks_active(const struct sim_device *dev)
{
    int line = 0;
    for (size_t i = 0; i < job_launches(dev->point.job) && !line; i++)
        line = sim_asks_active(dev->point.launches[i].kernel);
    return line;
}

static bool masks_some(const struct sim_device *dev)
{
    bool masks = false;
    for (size_t i = 0; i < job_launches(dev->point.job); i++) masks |= sim_masks_some(dev->point.launches[i].kernel);
    return masks;
}

// Whether it may matter who comes last, though no order is missing. That is so where blocks run side by side, and where
// a checked result comes from atomics (a counter may be read before all have added), or from a warp that runs in step.
static bool may_meet(const struct sim_device *dev)
{
    enum { MOST = 1 << 20, MOST_ATOMICS = 1 << 16 }; // accesses of warps
    const struct job *job = dev->point.job;
    const struct sim_counts *c = &dev->point.counts;
    const bool full = asks_is(job, SETTING_CHECK, "full"), atomics = c->atom_requests || c->shared_atom_requests;
    if (dev->at_once || asks_true(job, SETTING_COOPERATIVE)) return full || c->accesses <= MOST;
    // Where a part of a warp meets, the watch takes it for all of them.
    return (atomics || dev->point.races.loose || asks_active(dev) || masks_some(dev)) && dev->point.check &&
        (full || c->accesses <= MOST_ATOMICS);
}

static void add_cause(struct result_check *v, const char *what)
{
    const size_t n = strlen(v->racy);
    snprintf(v->racy + n, sizeof v->racy - n, ": %s", what);
}

// Accesses to shared memory without order are a mistake whatever they did here, and so is a write over another's. In
// global memory some are harmless, as where all who see a place empty fill in the same; other orders tell.
static bool look_for_races(struct sim_device *dev, struct result_check *v, struct diags *d)
{
    struct told first = told_of(&dev->point);
    const struct sim_races races = first.races;
    const int64_t schedule = asks_whole(dev->point.job, SETTING_SCHEDULE, 0);
    const bool exactly = races.global || (!dev->point.check && schedule), meets = may_meet(dev);
    bool good = true;
    if (races.shared || races.lost)
        snprintf(v->racy, sizeof v->racy, "%s", races.shared ? races.shared_what : races.global_what);
    if (v->racy[0] || (!races.global && !schedule && !meets)) return true;
    const uint64_t content = sim_content(dev);
    const bool machine = dev->machine;
    dev->machine &= exactly; // the lanes of PTX run apart
    if (races.global) good = in_other_order(dev, 0, content, exactly, v, d);
    for (int64_t seed = 1; good && (races.global || meets) && !v->racy[0] && seed <= 3; seed++)
        good = in_other_order(dev, (uint64_t)seed, content, exactly, v, d);
    if (good && schedule && !v->racy[0]) good = in_other_order(dev, (uint64_t)schedule, content, exactly, v, d);
    dev->machine = machine;
    if (!races.global && v->racy[0]) first.races = dev->point.races;
    tell_again(&dev->point, &first);
    if (!v->racy[0]) return good;
    char what[160];
    snprintf(what, sizeof what,
        "`__activemask()` at line %d names the lanes that run together, and these need not be all that come there",
        asks_active(dev));
    if (races.global || races.loose) add_cause(v, races.global ? races.global_what : races.loose_what);
    else if (asks_active(dev)) add_cause(v, what);
    return good;
}

// Shared memory was read that nothing had written. It is a mistake where the result depends on what was there.
static bool look_for_unwritten(struct sim_device *dev, struct result_check *v, struct diags *d)
{
    static const uint32_t fills[] = {0x5a5a5a5a, 0xa5a5a5a5};
    const struct told first = told_of(&dev->point);
    uint64_t content[2] = {0};
    bool matters = v->wrong > 0;
    for (int n = 0; n < 2 && !matters; n++) {
        struct diags why = {0};
        struct result_check other = {0};
        if (!sim_prepare_again(dev, true, d)) return false;
        dev->fill = fills[n];
        matters = !sim_run(dev, 0, &why) || (dev->point.check && !sim_check(dev, &other, &why)) || other.wrong;
        dev->fill = 0;
        content[n] = sim_content(dev);
        diags_clear(&why);
    }
    if (matters || content[0] != content[1]) {
        sim_distrust(dev);
        dev->fault = SIM_UNDEFINED;
        return diag_user(d, (struct where){0}, NULL, "%s", first.races.undefined_what);
    }
    tell_again(&dev->point, &first);
    return true;
}

// The machine code is right. Does the PTX show a mistake that the compiler has removed? That is looked at where it
// takes little time. A mask is nowhere else: there it is a finding, elsewhere it is told.
static bool look_at_ptx(struct sim_device *dev, struct result_check *v, struct diags *d)
{
    enum { LITTLE = 1 << 14 }; // accesses of warps
    struct sim_point *p = &dev->point;
    const struct sim_races *r = &p->races;
    struct diags why = {0};
    const bool masks = masks_some(dev);
    if (!dev->machine || r->global || (!masks && p->counts.accesses > LITTLE)) return true;
    const struct told first = told_of(p);
    dev->machine = false;
    if (!sim_prepare_again(dev, true, d)) return false;
    p->expected = first.expected;
    const bool ran = sim_run(dev, 0, &why), shows = ran ? r->shared || r->lost : sim_is_finding(dev->fault);
    const enum sim_fault_kind fault = dev->fault;
    char what[400];
    snprintf(what, sizeof what, "%s", !ran ? diags_first(&why) : r->shared ? r->shared_what : r->global_what);
    diags_clear(&why);
    dev->fault = SIM_OK;
    if (shows && !ran && (masks || dev->within)) {
        dev->fault = fault;
        return sim_distrust(dev), diag_user(d, (struct where){0}, NULL, "%s; not seen in its machine code", what);
    }
    if (shows && masks) snprintf(v->racy, sizeof v->racy, "%s", what);
    else if (shows)
        diag_add(d, DIAG_WARNING, (struct where){0}, NULL, "the compiler removed a mistake that its PTX has: %s", what);
    dev->machine = true;
    dev->unwatched = true; // what it left is looked at by others
    const bool good = ran || (sim_prepare_again(dev, true, d) && sim_run(dev, 0, d));
    dev->unwatched = false;
    tell_again(p, &first);
    return good;
}

// Once more on poisoned outputs and other inputs: a kernel that idles when it has worked before is found out. The
// counts and reports stay those of the first launch.
static bool verify_again(struct sim_device *dev, struct result_check *v, struct diags *d)
{
    struct sim_point *p = &dev->point;
    const struct told first = told_of(p);
    unsigned char *reports = arena_alloc(dev->arena, 16 * p->job->report_count + 1);
    for (size_t i = 0; i < p->job->report_count; i++) {
        memcpy(reports + 16 * i, sim_host(dev->sim, p->reports[i], 16), 16);
        memset(sim_host(dev->sim, p->reports[i], 16), 0, 16);
    }
    sim_unwatch(dev->sim);
    bool good = sim_refill(dev, 1, d) && sim_run(dev, 0, d) && sim_check(dev, v, d);
    sim_distrust(dev);
    v->again = v->wrong > 0;
    for (size_t i = 0; i < p->job->report_count; i++)
        memcpy(sim_host(dev->sim, p->reports[i], 16), reports + 16 * i, 16);
    // Other orders are held against the first result.
    const bool orders = first.races.global || asks_whole(p->job, SETTING_SCHEDULE, 0);
    if (good && !v->wrong && orders) good = sim_prepare_again(dev, true, d) && sim_run(dev, 0, d);
    tell_again(p, &first);
    return good;
}

// A result is wrong, and nothing within a block explains it: all is watched, blocks one after the other, so that what
// is said is the same in each run, and how many are wrong. Not where that takes long.
static bool look_at_all(struct sim_device *dev, struct result_check *v, struct diags *d)
{
    enum { MOST = 1 << 23 }; // accesses of warps
    struct sim_point *p = &dev->point;
    const struct sim_counts counts = p->counts;
    struct result_check other = {0};
    struct diags why = {0};
    if (counts.accesses > MOST || p->blocks <= SIM_WATCHED || !asks_is(p->job, SETTING_CHECK, "auto")) return true;
    sim_unwatch(dev->sim);
    if (!sim_prepare_again(dev, true, d)) return false;
    dev->watches_all = true;
    const bool ran = sim_run(dev, 0, &why) && sim_check(dev, &other, &why);
    dev->watches_all = false;
    memcpy(other.racy, v->racy, sizeof other.racy);
    if (ran && other.wrong) *v = other;
    const struct sim_races *r = &p->races;
    if (ran && (r->shared || r->global))
        snprintf(v->racy, sizeof v->racy, "%s", r->shared ? r->shared_what : r->global_what);
    if (ran && !other.wrong && !v->racy[0])
        snprintf(v->racy, sizeof v->racy,
            "with blocks one after the other the result is right, side by side it is not");
    p->counts = counts;
    sim_distrust(dev);
    diags_clear(&why);
    return true;
}

// Blocks that a GPU has room for at once, but which wait for each other: one after the other they would for ever.
static bool fits_at_once(const struct job *job)
{
    const uint64_t threads = 132 * 2048; // of an H200
    for (size_t i = 0; i < job_launches(job); i++) {
        const struct job_launch l = job_launch(job, i);
        uint64_t n = 1;
        for (int k = 0; k < 3; k++) n *= (uint64_t)l.grid[k] * l.block[k];
        if (n > threads) return false;
    }
    return true;
}

static bool run_first(struct sim_device *dev, bool by_machine, struct diags *d)
{
    const size_t before = d->count;
    LOCAL(diags_clear) struct diags machine = {0};
    dev->at_once = false;
    bool good;
    if (by_machine && sim_run_machine(dev, &good, &machine)) return diags_join(d, &machine), good;
    const enum sim_fault_kind fault = dev->fault;
    struct sim_races *r = &dev->point.races;
    good = sim_run(dev, 0, d);
    if (good && by_machine && r->shared && dev->seen.shared)
        memcpy(r->shared_what, dev->seen.shared_what, sizeof r->shared_what);
    if (good) return true;
    dev->at_once = dev->waits && !asks_true(dev->point.job, SETTING_COOPERATIVE) && fits_at_once(dev->point.job);
    const bool same = diags_errors(&machine) && fault == dev->fault; // that names the instruction too
    if (dev->at_once || same) diags_drop(d, before);
    if (!dev->at_once && same) diags_join(d, &machine);
    if (!dev->at_once) return false;
    sim_unwatch(dev->sim);
    sim_places_start(dev); // what was seen of a block that waited in vain is none of it
    return sim_prepare_again(dev, true, d) && sim_run(dev, 0, d);
}

static bool verify(struct sim_device *dev, bool by_machine, struct result_check *v, struct diags *d)
{
    const size_t before = d->count;
    *v = (struct result_check){0};
    sim_untouch(dev->sim);
    const struct weak_device weak = weak_of(dev);
    if (dev->point.check) weak_note(&dev->spots, dev->point.job, &weak);
    // Outputs hold poison, and reports zeros, since `prepare`.
    if (!run_first(dev, by_machine, d)) {
        v->unsupported = dev->point.unsupported;
        return sim_distrust(dev), false;
    }
    if (dev->point.ran < dev->point.blocks) { // most of the result was not made
        sim_distrust(dev);
        v->unverified = "only some blocks ran (`sample`)";
        return true;
    }
    const bool remembers = sim_may_remember(dev);
    if (dev->places.look) dev->places.content = sim_content(dev);
    const bool good = !dev->point.check || sim_check(dev, v, d);
    if (dev->machine && (!good || v->wrong)) { // its PTX tells more of what is wrong
        dev->machine = false;
        diags_drop(d, before);
        return sim_prepare_again(dev, true, d) && verify(dev, false, v, d);
    }
    if (!good || v->wrong) sim_distrust(dev);
    if (!good) return false;
    if (dev->point.races.undefined && !dev->point.races.shared && !look_for_unwritten(dev, v, d)) return false;
    if (v->wrong) {
        const struct sim_races *r = &dev->point.races;
        snprintf(v->racy, sizeof v->racy, "%s", r->shared ? r->shared_what : r->global_what);
        return r->shared || look_at_all(dev, v, d);
    }
    if (dev->point.check && remembers && !verify_again(dev, v, d)) return false;
    if (v->wrong) return true;
    const bool races = dev->point.races.shared || dev->point.races.lost;
    // What its PTX says of a mask is plainer than what becomes of it in another order.
    if ((!races && !look_at_ptx(dev, v, d)) || (!v->racy[0] && !look_for_races(dev, v, d))) return false;
    if (dev->point.check && !v->racy[0]) weak_ask(&dev->spots, dev->point.job, &weak, v);
    return true;
}

bool sim_verify(struct sim_device *dev, struct result_check *v, struct diags *d)
{
    dev->fault = SIM_OK;
    const bool good = verify(dev, true, v, d),
               seen = dev->fault == SIM_DIVERGED || dev->fault == SIM_UNDEFINED ||
        (dev->fault == SIM_OUT_OF_BOUNDS && dev->within);
    v->counts = good ? v->racy[0] && !v->wrong : seen;
    dev->point.flawed = v->counts;
    return good;
}
