// SPDX-License-Identifier: MIT
//
// A line program is a small machine: an address, a line, and operations of a byte each that move them. A table has
// several units, and a unit several programs, each about the code whose address its first operation sets.
#include "sass/lines.h"

#include <stdbool.h>
#include <string.h>

struct line_reader {
    const unsigned char *p, *end;
};

static unsigned byte_of(struct line_reader *r) { return r->p < r->end ? *r->p++ : 0; }

static uint64_t fixed(struct line_reader *r, size_t bytes)
{
    uint64_t v = 0;
    if ((size_t)(r->end - r->p) < bytes) {
        r->p = r->end;
        return 0;
    }
    memcpy(&v, r->p, bytes);
    r->p += bytes;
    return v;
}

static uint64_t number(struct line_reader *r)
{
    uint64_t v = 0;
    for (int shift = 0; r->p < r->end; shift += 7) {
        const unsigned b = byte_of(r);
        if (shift < 63) v |= (uint64_t)(b & 127) << shift;
        if (!(b & 128)) break;
    }
    return v;
}

static int64_t signed_number(struct line_reader *r)
{
    uint64_t v = 0;
    int shift = 0;
    unsigned b = 128;
    while (r->p < r->end && (b & 128)) {
        b = byte_of(r);
        if (shift < 63) v |= (uint64_t)(b & 127) << shift;
        shift += 7;
    }
    if ((b & 64) && shift < 64) v |= ~(uint64_t)0 << shift;
    return (int64_t)v;
}

struct machine {
    uint64_t address;
    int64_t line;
    bool ours;       // it is the code that was asked for
    uint64_t filled; // up to this address lines are known
    uint32_t *lines;
    size_t count;
};

// From the last row to here the code is of the line that held until now.
static void move_to(struct machine *m, uint64_t address)
{
    if (m->ours && m->line > 0)
        for (uint64_t n = m->address / 16; n < address / 16 && n < m->count; n++) m->lines[n] = (uint32_t)m->line;
    m->address = address;
}

struct unit { // what its head says
    unsigned least, base, range, first;
    int line_base;
    unsigned char operands[256];
};

static void run(struct line_reader *r, const struct unit *u, const unsigned char *asked, struct machine *m)
{
    while (r->p < r->end) {
        const unsigned op = byte_of(r);
        if (op >= u->first) {
            const unsigned n = op - u->first;
            move_to(m, m->address + n / u->range * u->least);
            m->line += u->line_base + (int)(n % u->range);
            continue;
        }
        if (op == 0) {
            const uint64_t size = number(r);
            const unsigned char *next = size <= (uint64_t)(r->end - r->p) ? r->p + size : r->end;
            const unsigned sub = byte_of(r);
            if (sub == 1) move_to(m, m->address), m->address = 0, m->line = 1, m->ours = false;
            if (sub == 2) m->ours = r->p == asked, m->address = 0, fixed(r, 8);
            r->p = next;
            continue;
        }
        switch (op) {
        case 1: break;
        case 2: move_to(m, m->address + number(r) * u->least); break;
        case 3: m->line += signed_number(r); break;
        case 8: move_to(m, m->address + (255 - u->first) / u->range * u->least); break;
        case 9: move_to(m, m->address + fixed(r, 2)); break;
        default:
            for (unsigned k = 0; k < u->operands[op]; k++) number(r);
        }
    }
}

void lines_read(const unsigned char *table, size_t bytes, uint32_t address_at, uint32_t *lines, size_t count)
{
    struct line_reader all = {table, table + bytes};
    if (address_at >= bytes) return;
    while (all.end - all.p > 4) {
        const uint64_t size = fixed(&all, 4);
        struct line_reader r = {all.p, size <= (uint64_t)(all.end - all.p) ? all.p + size : all.end};
        all.p = r.end;
        const uint64_t version = fixed(&r, 2), head = fixed(&r, 4);
        if (version < 2 || version > 4 || head > (uint64_t)(r.end - r.p)) continue;
        const unsigned char *program = r.p + head;
        struct unit u = {0};
        u.least = byte_of(&r);
        if (version >= 4) byte_of(&r);
        byte_of(&r);
        u.line_base = (signed char)byte_of(&r), u.range = byte_of(&r), u.first = byte_of(&r);
        for (unsigned k = 1; k < u.first; k++) u.operands[k] = (unsigned char)byte_of(&r);
        struct machine m = {.line = 1, .lines = lines, .count = count};
        r.p = program;
        if (u.range) run(&r, &u, table + address_at, &m);
    }
}
