// Sections, symbols, attributes and relocations of a cubin. Each offset and size is checked before it is followed.
// SPDX-License-Identifier: MIT
#include "sass/cubin.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

// Lines of the source by instruction, from the line program of DWARF that the compiler leaves in a cubin.
//
// A line program is a small machine: an address, a line, and operations of a byte each that move them. A table has
// several units, and a unit several programs, each about the code whose address its first operation sets.

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
    uint64_t file, from; // from: the row of the call, where the code was written into its caller; 0: it is its own
    bool ours;           // it is the code that was asked for
    uint64_t row_at;     // of the last row
    struct line_rows {   // of the source's own file: for a row of a header's code, of where that is called
        int64_t *lines;
        size_t count, room;
    } * rows;
    uint32_t *lines;
    size_t count;
};

static int64_t row_line(const struct machine *m, uint64_t n)
{
    return n && n <= m->rows->count ? m->rows->lines[n - 1] : 0;
}

// From the last row to here the code is of its line.
static void end_row(struct machine *m)
{
    const int64_t line = row_line(m, m->rows->count);
    if (m->ours && line > 0)
        for (uint64_t n = m->row_at / 16; n < m->address / 16 && n < m->count; n++) m->lines[n] = (uint32_t)line;
    m->row_at = m->address;
}

static void add_row(struct machine *m)
{
    enum { MAIN = 1 };
    end_row(m);
    mem_grow(&m->rows->lines, &m->rows->room, m->rows->count + 1, sizeof *m->rows->lines);
    m->rows->lines[m->rows->count] = m->file == MAIN ? m->line : row_line(m, m->from);
    m->rows->count++;
}

struct unit { // what its head says
    unsigned least, base, range, first;
    int line_base;
    unsigned char operands[256];
};

static void run_extended(struct line_reader *r, const unsigned char *asked, struct machine *m)
{
    enum { END = 1, ADDRESS = 2, INLINED = 0x90 };
    const uint64_t size = number(r);
    const unsigned char *next = size <= (uint64_t)(r->end - r->p) ? r->p + size : r->end;
    switch (byte_of(r)) {
    case END:
        end_row(m);
        m->address = m->row_at = m->from = 0, m->file = 1, m->line = 1, m->ours = false;
        m->rows->count = 0;
        break;
    case ADDRESS: m->ours = r->p == asked, m->address = m->row_at = 0, fixed(r, 8); break;
    case INLINED: m->from = number(r); break;
    default: break;
    }
    r->p = next;
}

static void run(struct line_reader *r, const struct unit *u, const unsigned char *asked, struct machine *m)
{
    enum { EXTENDED, ROW, FORWARD, LINE, FILE_NUMBER, FORWARD_MOST = 8, FORWARD_FIXED };
    while (r->p < r->end) {
        const unsigned op = byte_of(r), n = op - u->first;
        if (op >= u->first) {
            m->address += n / u->range * u->least;
            m->line += u->line_base + (int)(n % u->range);
            add_row(m);
            continue;
        }
        switch (op) {
        case EXTENDED: run_extended(r, asked, m); break;
        case ROW: add_row(m); break;
        case FORWARD: m->address += number(r) * u->least; break;
        case LINE: m->line += signed_number(r); break;
        case FILE_NUMBER: m->file = number(r); break;
        case FORWARD_MOST: m->address += (255 - u->first) / u->range * u->least; break;
        case FORWARD_FIXED: m->address += fixed(r, 2); break;
        default:
            for (unsigned k = 0; k < u->operands[op]; k++) number(r);
        }
    }
}

// Runs the program that is in `table` around byte `address_at`, where the address of the code stands that it is about.
// Fills the line of each of `count` instructions; what it does not reach stays as it was.
static void lines_read(const unsigned char *table, size_t bytes, uint32_t address_at, uint32_t *lines, size_t count)
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
        struct line_rows rows = {0};
        struct machine m = {.line = 1, .file = 1, .rows = &rows, .lines = lines, .count = count};
        r.p = program;
        if (u.range) run(&r, &u, table + address_at, &m);
        free(rows.lines);
    }
}

enum { OLDEST = 80, NEWEST = 90 };
// Attributes of `.nv.info`: the smallest stack, registers, where parameters stand and how many bytes they are.
enum { INFO_FRAME = 0x11, INFO_STACK = 0x12, INFO_REGISTERS = 0x2f, INFO_PARAMS = 0x0a, INFO_PARAM = 0x17 };

struct inside {
    const unsigned char *bytes;
    size_t count;
    Elf64_Ehdr head;
    Elf64_Shdr *sections;
    const char **names; // of the sections
    const Elf64_Shdr *symbols, *texts;
    struct cubin_place *place_of; // by symbol
    size_t symbol_count;
};

static bool within(uint64_t from, uint64_t bytes, size_t all) { return from <= all && bytes <= all - from; }

static const char *text_at(const struct inside *in, const Elf64_Shdr *table, uint64_t at)
{
    if (at >= table->sh_size) return "";
    const char *s = (const char *)in->bytes + table->sh_offset + at;
    return memchr(s, 0, table->sh_size - at) ? s : "";
}

static bool read_sections(struct inside *in, struct arena *a)
{
    const Elf64_Ehdr *h = &in->head;
    if (h->e_shentsize != sizeof(Elf64_Shdr) || h->e_shstrndx >= h->e_shnum ||
        !within(h->e_shoff, (uint64_t)h->e_shnum * sizeof(Elf64_Shdr), in->count))
        return false;
    in->sections = arena_alloc(a, h->e_shnum * sizeof *in->sections);
    memcpy(in->sections, in->bytes + h->e_shoff, h->e_shnum * sizeof *in->sections);
    for (unsigned n = 0; n < h->e_shnum; n++)
        if (in->sections[n].sh_type != SHT_NOBITS &&
            !within(in->sections[n].sh_offset, in->sections[n].sh_size, in->count))
            return false;
    if (in->sections[h->e_shstrndx].sh_type == SHT_NOBITS) return false;
    in->names = arena_alloc(a, h->e_shnum * sizeof *in->names);
    for (unsigned n = 0; n < h->e_shnum; n++)
        in->names[n] = text_at(in, &in->sections[h->e_shstrndx], in->sections[n].sh_name);
    for (unsigned n = 0; n < h->e_shnum; n++)
        if (in->sections[n].sh_type == SHT_SYMTAB && in->sections[n].sh_link < h->e_shnum)
            in->symbols = &in->sections[n], in->texts = &in->sections[in->sections[n].sh_link];
    return in->symbols && in->symbols->sh_entsize == sizeof(Elf64_Sym) && in->texts->sh_type == SHT_STRTAB;
}

static bool begins(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }

static void read_symbols(struct inside *in, struct arena *a)
{
    in->symbol_count = in->symbols->sh_size / sizeof(Elf64_Sym);
    in->place_of = arena_alloc(a, (in->symbol_count + 1) * sizeof *in->place_of);
    for (size_t n = 0; n < in->symbol_count; n++) {
        Elf64_Sym s;
        memcpy(&s, in->bytes + in->symbols->sh_offset + n * sizeof s, sizeof s);
        const char *where = s.st_shndx < in->head.e_shnum ? in->names[s.st_shndx] : "";
        in->place_of[n] = (struct cubin_place){.name = text_at(in, in->texts, s.st_name),
            .at = s.st_value,
            .bytes = s.st_size,
            .bank = begins(where, ".nv.constant3") ? 3
                : begins(where, ".text.")          ? CUBIN_CODE
                                                   : CUBIN_GLOBAL};
    }
}

struct cubin *cubin_read(struct arena *a, const void *bytes, size_t count, char error[256])
{
    struct inside *in = arena_alloc(a, sizeof *in);
    in->bytes = bytes, in->count = count;
    snprintf(error, 256, "it is no cubin");
    if (count < sizeof in->head || memcmp(bytes, ELFMAG, SELFMAG) != 0) return NULL;
    memcpy(&in->head, bytes, sizeof in->head);
    if (in->head.e_ident[EI_CLASS] != ELFCLASS64 || in->head.e_machine != 190 || !read_sections(in, a)) return NULL;
    struct cubin *c = arena_alloc(a, sizeof *c);
    c->inside = in;
    // Since version 8 of the form the processor stands one byte further up.
    c->arch = (int)(in->head.e_flags >> (in->head.e_ident[EI_ABIVERSION] >= 8 ? 8 : 0) & 0xff);
    if (c->arch < OLDEST || c->arch > NEWEST) {
        snprintf(error, 256, "its instructions are those of sm_%d, which are not known here", c->arch);
        return NULL;
    }
    read_symbols(in, a);
    c->places = in->place_of, c->place_count = in->symbol_count;
    return c;
}

// The section of that name and the kernel's; NULL: there is none.
static const Elf64_Shdr *section(const struct inside *in, const char *prefix, const char *kernel)
{
    const size_t n = strlen(prefix);
    for (unsigned k = 0; k < in->head.e_shnum; k++)
        if (strncmp(in->names[k], prefix, n) == 0 && strcmp(in->names[k] + n, kernel) == 0) return &in->sections[k];
    return NULL;
}

static uint32_t number_at(const unsigned char *p)
{
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
}

// Attributes about a symbol, or about the kernel whose section it is.
static void read_info(const struct inside *in, const Elf64_Shdr *s, const char *kernel, bool own,
    struct cubin_kernel *k)
{
    const unsigned char *p = in->bytes + s->sh_offset, *end = p + s->sh_size;
    while (end - p >= 4) {
        const unsigned form = p[0], what = p[1], size = (unsigned)(p[2] | p[3] << 8);
        p += 4;
        if (form != 4) continue;
        if ((size_t)(end - p) < size) return;
        const uint32_t about = size >= 4 ? number_at(p) : 0;
        const bool mine = about < in->symbol_count && strcmp(in->place_of[about].name, kernel) == 0;
        if (own && what == INFO_PARAMS && size >= 8)
            k->params_at = (uint32_t)(p[4] | p[5] << 8), k->param_bytes = (uint32_t)(p[6] | p[7] << 8);
        const unsigned nth = own && what == INFO_PARAM && size >= 12 ? (unsigned)(p[4] | p[5] << 8) : CUBIN_PARAMS;
        if (nth < CUBIN_PARAMS)
            k->params[nth] = (struct cubin_param){(uint32_t)(p[6] | p[7] << 8), number_at(p + 8) >> 18};
        if (!own && mine && size >= 8) {
            const uint32_t v = number_at(p + 4);
            if (what == INFO_REGISTERS) k->registers = (int)v;
            if (what == INFO_FRAME && v > k->stack_bytes) k->stack_bytes = v;
            if (what == INFO_STACK) k->stack_known = true, k->stack_bytes = v > k->stack_bytes ? v : k->stack_bytes;
        }
        p += size;
    }
}

static struct cubin_fix *read_fixes(const struct inside *in, struct arena *a, const Elf64_Shdr *of, size_t *count)
{
    *count = 0;
    struct cubin_fix *fixes = NULL;
    const uint64_t index = of ? (uint64_t)(of - in->sections) : 0;
    for (unsigned k = 0; of && k < in->head.e_shnum; k++) {
        const Elf64_Shdr *s = &in->sections[k];
        const bool adds = s->sh_type == SHT_RELA;
        const size_t size = adds ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        if ((!adds && s->sh_type != SHT_REL) || s->sh_info != index || !s->sh_size) continue;
        struct cubin_fix *more = arena_alloc(a, (*count + s->sh_size / size) * sizeof *more);
        if (*count) memcpy(more, fixes, *count * sizeof *more);
        fixes = more;
        for (uint64_t at = 0; at + size <= s->sh_size; at += size) {
            Elf64_Rela r = {0};
            memcpy(&r, in->bytes + s->sh_offset + at, size);
            const uint64_t symbol = ELF64_R_SYM(r.r_info);
            fixes[(*count)++] = (struct cubin_fix){.at = (uint32_t)r.r_offset,
                .type = (uint32_t)ELF64_R_TYPE(r.r_info),
                .addend = r.r_addend,
                .of = symbol < in->symbol_count ? &in->place_of[symbol] : NULL};
        }
    }
    return fixes;
}

static void read_lines(const struct inside *in, struct arena *a, const char *name, struct cubin_kernel *k)
{
    const Elf64_Shdr *table = section(in, ".debug_line", "");
    size_t count;
    const struct cubin_fix *fixes = table ? read_fixes(in, a, table, &count) : NULL;
    if (!fixes || table->sh_type == SHT_NOBITS) return;
    k->lines = arena_alloc(a, (k->code_bytes / 16 + 1) * sizeof *k->lines);
    for (size_t n = 0; n < count; n++)
        if (fixes[n].of && strcmp(fixes[n].of->name, name) == 0)
            lines_read(in->bytes + table->sh_offset, table->sh_size, fixes[n].at, k->lines, k->code_bytes / 16);
}

bool cubin_kernel(const struct cubin *c, struct arena *a, const char *name, struct cubin_kernel *k, char error[256])
{
    const struct inside *in = c->inside;
    const Elf64_Shdr *text = section(in, ".text.", name), *shared = section(in, ".nv.shared.", name);
    *k = (struct cubin_kernel){.registers = -1};
    if (!text || text->sh_type == SHT_NOBITS || text->sh_size > UINT32_MAX) {
        snprintf(error, 256, "the machine code has no kernel `%.80s`", name);
        return false;
    }
    k->code = in->bytes + text->sh_offset, k->code_bytes = (uint32_t)(text->sh_size / 16 * 16);
    static const char *const banks[CUBIN_BANKS] = {NULL, NULL, ".nv.constant2.", ".nv.constant3", ".nv.constant4"};
    for (int b = 2; b < CUBIN_BANKS; b++) {
        const Elf64_Shdr *s = section(in, banks[b], b == 2 ? name : "");
        if (!s && b > 2) {
            char of[300];
            snprintf(of, sizeof of, "%s.%s", banks[b], name);
            s = section(in, of, "");
        }
        if (!s || s->sh_type == SHT_NOBITS) continue;
        k->banks[b] = (struct cubin_bank){in->bytes + s->sh_offset, s->sh_size};
        if (b == 4) k->fixes4 = read_fixes(in, a, s, &k->fix4_count);
    }
    k->shared_bytes = shared && shared->sh_size < 1 << 20 ? (uint32_t)shared->sh_size : 0;
    if (c->arch >= 90 && k->shared_bytes < CUBIN_FAR_SHARED) k->shared_bytes = CUBIN_FAR_SHARED;
    for (unsigned n = 0; n < in->head.e_shnum; n++) {
        const bool all = strcmp(in->names[n], ".nv.info") == 0;
        const bool own = begins(in->names[n], ".nv.info.") && strcmp(in->names[n] + 9, name) == 0;
        if ((all || own) && in->sections[n].sh_type != SHT_NOBITS) read_info(in, &in->sections[n], name, own, k);
    }
    k->fixes = read_fixes(in, a, text, &k->fix_count);
    read_lines(in, a, name, k);
    return true;
}

const char *cubin_name(const struct cubin *c, size_t n)
{
    const struct inside *in = c->inside;
    for (unsigned k = 0; k < in->head.e_shnum; k++)
        if (begins(in->names[k], ".text.") && n-- == 0) return in->names[k] + 6;
    return NULL;
}
