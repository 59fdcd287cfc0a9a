// What follows from a point's launch and columns.
// SPDX-License-Identifier: MIT
#include "reason/evidence.h"
#include "spec/columns.h"

#include "device/profiles.h"
#include "plan/asks.h"

#include <math.h>
#include <string.h>

bool evidence_timed(const struct evidence *e) { return e->columns[COLUMN_TIME_US] > 0; }

static uint64_t blocks_of(const struct job_launch *l) { return (uint64_t)l->grid[0] * l->grid[1] * l->grid[2]; }

uint64_t evidence_blocks(const struct evidence *e)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < job_launches(e->job); i++) {
        const struct job_launch l = job_launch(e->job, i);
        sum += blocks_of(&l);
    }
    return sum;
}

double evidence_warps(const struct evidence *e)
{
    double sum = 0;
    for (size_t i = 0; i < job_launches(e->job); i++) {
        const struct job_launch l = job_launch(e->job, i);
        sum += (double)blocks_of(&l) * ((l.block[0] * l.block[1] * l.block[2] + 31) / 32);
    }
    return sum;
}

uint32_t evidence_threads(const struct evidence *e)
{
    const uint32_t *b = e->job->block;
    return b[0] * b[1] * b[2];
}

double evidence_resident(const struct evidence *e)
{
    double percent = e->columns[COLUMN_OCCUPANCY_PCT];
    const double regs = e->columns[COLUMN_REGS], shared = e->columns[COLUMN_SHARED_BYTES];
    const int threads = (int)evidence_threads(e);
    if (isnan(percent) &&
        !occupancy_percent(&e->device->limits, threads, isnan(regs) ? 32 : (int)regs,
            isnan(shared) ? 0 : (size_t)shared, &percent))
        percent = occupancy_share(e->device->limits.warps_per_sm * 32 / (threads ? threads : 1), threads,
            e->device->limits.warps_per_sm);
    return percent > 0 ? percent / 100 * e->device->limits.warps_per_sm : e->device->limits.warps_per_sm;
}

double evidence_lanes(const struct evidence *e)
{
    double lanes = 0, requests = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        lanes += (double)e->places->items[i].lanes;
        requests += (double)e->places->items[i].requests;
    }
    return requests > 0 ? lanes / requests : 0;
}

double evidence_rounds(const struct evidence *e)
{
    return evidence_warps(e) / (evidence_resident(e) * e->device->limits.sms);
}

enum evidence_known evidence_device(const char *name, const char *limits, struct profile *out)
{
    const struct profile *like = profile_find("h200"), *p;
    if (!name || strcmp(name, "sim") == 0) p = like;
    else p = strncmp(name, "sim:", 4) == 0 ? profile_find(name + 4) : profile_named(name);
    *out = p ? *p : *like;
    if (!profile_limits(limits, out) && !p) return KNOWN_NOTHING;
    return p == like ? KNOWN_WELL : KNOWN_LIMITS;
}

bool evidence_stands(const struct evidence *e) { return !e->whole && !e->given; }

double evidence_changed(const struct evidence *e, const struct tape_change *change, bool own, struct limits *mended)
{
    const bool whole = own || !evidence_stands(e);
    if (!e->places || !e->places->tape || !tape_limits(e->places->tape, &e->constants, change, whole, mended))
        return NAN;
    const double all = whole && e->replayed > 0 ? e->replayed : 1;
    return mended->us * all + evidence_swaps(e);
}

bool evidence_pages(const struct evidence *e)
{
    const bool host = !asks_is(e->job, SETTING_TOUCH, "device") && !asks_is(e->job, SETTING_TOUCH, "warp_per_page");
    const bool launch = asks_is(e->job, SETTING_TIMED, "launch");
    return asks_memory(e->job, "managed") && host && launch && !asks_true(e->job, SETTING_PREFETCH);
}

// Pages of managed memory that are there stay there, and a copy within the device is none of the bus.
static bool bus_carries(const struct evidence *e)
{
    const bool here = asks_is(e->job, SETTING_TIMED, "launch") || asks_is(e->job, SETTING_TIMED, "copy");
    return !here || asks_memory(e->job, "mapped") || evidence_pages(e);
}

// What goes over the host's bus, where the kernel or a copy does that.
static void add_bus(const struct evidence *e, struct limits *l)
{
    double bytes = bus_carries(e) ? e->columns[COLUMN_USEFUL_BYTES] : 0, all = 0, mapped = 0;
    for (size_t i = 0; i < e->job->buffer_count; i++) {
        all += (double)e->job->buffers[i].bytes;
        if (asks_memory_of(&e->job->buffers[i], "mapped")) mapped += (double)e->job->buffers[i].bytes;
    }
    if (mapped > 0 && all > 0 && e->columns[COLUMN_USEFUL_BYTES] > 0)
        bytes = e->columns[COLUMN_USEFUL_BYTES] * mapped / all;
    if (!(bytes > 0) || l->count == LIMITS_MOST) return;
    const double us = bytes / e->constants.bus_bytes_us;
    if (!(l->us > us)) {
        const double least = e->constants.least[limit_as[LIMIT_BUS]], most = e->constants.most[limit_as[LIMIT_BUS]];
        l->us = us, l->lo_us = us * least, l->hi_us = us * most;
    }
    l->of[l->count++] = (struct limit){limit_words[LIMIT_BUS], LIMIT_BUS, us, us / l->us};
    for (int k = 0; k < l->count; k++) l->of[k].share = l->of[k].us / l->us;
    limits_sort(l);
}

static double asked(const struct evidence *e)
{
    double bytes = 0;
    for (size_t i = 0; i < e->places->count; i++)
        if (e->places->items[i].space == SPACE_OF_DEVICE)
            bytes += (double)e->places->items[i].lanes * e->places->items[i].bytes;
    return bytes;
}

bool evidence_same_work(const struct evidence *a, const struct evidence *b)
{
    const double useful = a->columns[COLUMN_USEFUL_BYTES], other = b->columns[COLUMN_USEFUL_BYTES];
    if (!isnan(useful) && !isnan(other) && useful != other) return false;
    if (!a->places || !b->places) return true;
    const double x = asked(a), y = asked(b), n = (double)a->places->instructions, m = (double)b->places->instructions;
    return fabs(x - y) <= 0.02 * fmax(x, y) && n >= 0.4 * m && m >= 0.4 * n;
}

uint32_t evidence_word(const struct device_place *p)
{
    const uint32_t bytes = ops_bytes((enum ops_word)p->is->type);
    return bytes ? bytes : 4;
}

double evidence_swaps(const struct evidence *e)
{
    const double launches = (double)job_launches(e->job);
    double most = 0;
    for (size_t i = 0; e->places && i < e->places->count; i++) {
        const struct device_place *p = &e->places->items[i];
        if (p->space != SPACE_OF_DEVICE || !ops_has(p->is, WORD_CAS) || !p->sectors) continue;
        const double words = fmax((double)p->span / evidence_word(p), 1), each = (double)p->lanes / launches / words;
        if (each >= 16) most = fmax(most, launches * each * e->constants.swap_cycles / e->constants.clock_mhz);
    }
    return most;
}

static void add_swaps(const struct evidence *e, struct limits *l)
{
    const double us = l->count ? evidence_swaps(e) : 0;
    if (!(us > 0)) return;
    int at = 0;
    while (at < l->count && l->of[at].is != LIMIT_ATOMICS) at++;
    if (at == LIMITS_MOST) return;
    if (at == l->count) l->of[l->count++] = (struct limit){limit_words[LIMIT_ATOMICS], LIMIT_ATOMICS, 0, 0};
    l->of[at].us += us;
    const double wider = (l->us + us) / l->us;
    l->us *= wider, l->lo_us *= wider, l->hi_us *= wider;
    for (int k = 0; k < l->count; k++) l->of[k].share = l->of[k].us / l->us;
    limits_sort(l);
}

static void fill(struct evidence *e, bool whole, struct limits *out)
{
    const struct tape_change none = {0};
    const char *why = out->why;
    if (e->places && e->places->tape) tape_limits(e->places->tape, &e->constants, &none, whole, out);
    if (whole && e->places && e->places->expected) { // by all of its blocks
        const double us = out->us;
        limits_from(e->places->expected, out);
        if (us > 0) e->replayed = out->us / us;
    }
    if (!out->count) out->why = why; // of an empty tape
    add_swaps(e, out);
    add_bus(e, out);
}

void evidence_limits(struct evidence *e)
{
    struct diags ignored = {0};
    const struct profile *like = profile_find("h200");
    e->limits = (struct limits){.why = "not looked at"};
    const bool known = e->known != KNOWN_NOTHING && profile_model(e->device, &e->constants, &ignored);
    diags_clear(&ignored);
    if (!known && !profile_model(like, &e->constants, &ignored)) return diags_clear(&ignored);
    const char *why = e->places ? e->places->untaped : NULL;
    if (why) e->limits.why = *why ? why : "the model knows no memory but the plain one of the device";
    e->judged = e->limits;
    fill(e, true, &e->limits);
    if (evidence_stands(e)) fill(e, false, &e->judged);
    else e->judged = e->limits;
}

double evidence_parted(const struct evidence *e)
{
    const struct limits *l = &e->limits;
    const double us = e->columns[COLUMN_TIME_US];
    if (!evidence_timed(e) || !l->count || e->known == KNOWN_NOTHING) return NAN;
    return us >= l->lo_us && us <= l->hi_us ? 1 : us / l->us;
}

static void add_counted(struct counted_share *of, int *count, enum limit_unit is, double us, double time)
{
    if (!(us > 0) || !(us >= 0.005 * time)) return; // it would be told as nothing
    int at = (*count)++;
    for (; at > 0 && of[at - 1].share < us / time; at--) of[at] = of[at - 1];
    of[at] = (struct counted_share){is, us / time};
}

int evidence_counted(const struct evidence *e, struct counted_share of[COUNTED_MOST])
{
    const struct model_constants *c = &e->constants;
    const double *x = e->columns, time = x[COLUMN_TIME_US] - c->launch_us - c->event_us;
    int count = 0;
    if (e->known == KNOWN_NOTHING || !(c->dram_bytes_us > 0)) return 0;
    const double dram = x[COLUMN_DRAM_READ_BYTES] + x[COLUMN_DRAM_WRITE_BYTES];
    const double sectors = c->l2_slices * c->l2_parts * c->clock_mhz, each = c->sms * c->clock_mhz; // a microsecond
    add_counted(of, &count, LIMIT_DRAM, dram / c->dram_bytes_us, time);
    // Stores go to L2 as well. Of lines there are at least so many as the sectors fill.
    const double stores = isnan(x[COLUMN_ST_SECTORS]) ? 0 : x[COLUMN_ST_SECTORS];
    const double reading = x[COLUMN_L2_READ_SECTORS] * c->l2_read_cycles,
                 writing = stores * (c->l2_write_cycles + c->l2_write_line_cycles / 4);
    add_counted(of, &count, LIMIT_L2, (reading + writing) / sectors, time);
    if (x[COLUMN_DRAM_READ_BYTES] > 0) { // the same run's counters
        add_counted(of, &count, LIMIT_SHARED, x[COLUMN_SHARED_WAVEFRONTS] / each, time);
        add_counted(of, &count, LIMIT_ISSUE, x[COLUMN_INSTRUCTIONS] / (4 * c->issue_rate * each), time);
    }
    return count;
}
