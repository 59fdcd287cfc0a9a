// Sections, symbols, attributes and relocations of a cubin. Each offset and size is checked before it is followed.
// SPDX-License-Identifier: MIT
#include "sass/cubin.h"

#include "base/arena.h"
#include "sass/lines.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { OLDEST = 80, NEWEST = 90, FAR_SHARED = 0x400 };
// Attributes of `.nv.info`: the smallest stack, registers, where parameters stand and how many bytes they are.
enum { INFO_FRAME = 0x11, INFO_STACK = 0x12, INFO_REGISTERS = 0x2f, INFO_PARAMS = 0x0a };

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
    if (c->arch >= 90 && k->shared_bytes < FAR_SHARED) k->shared_bytes = FAR_SHARED;
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
