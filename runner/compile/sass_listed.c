// A cubin is an ELF file: one section for each kernel's instructions, of 16 bytes each, whose lowest 12 bits say what
// they do and the next 4 which predicate guards them. Which bits mean what was found by reading what the compiler made
// of the kernels in tests/golden; it is the same from sm_80 to sm_90. Nothing in the file is taken on trust.
// SPDX-License-Identifier: MIT
#include "compile/sass_listed.h"

#include "compile/compile.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

enum { INSTRUCTION = 16, OLDEST = 80, NEWEST = 90, NEVER = 15 }; // NEVER: the guard `not true`

static const struct {
    uint16_t code;
    uint8_t is; // enum sim_listed_kind
    bool wide;  // its width stands in it
} rows[] = {
    {0x981, SIM_LD_GLOBAL, true},                                         // LDG
    {0xfae, SIM_LD_GLOBAL, false},                                        // LDGSTS: to shared memory
    {0x386, SIM_ST_GLOBAL, true}, {0x986, SIM_ST_GLOBAL, true},           // STG
    {0x98e, SIM_ATOMIC_GLOBAL, false}, {0x9a6, SIM_ATOMIC_GLOBAL, false}, // RED
    {0x9a3, SIM_ATOMIC_GLOBAL, false}, {0x9a8, SIM_ATOMIC_GLOBAL, false}, {0x3a8, SIM_ATOMIC_GLOBAL, false}, // ATOMG
    {0x3a9, SIM_ATOMIC_GLOBAL, false}, {0x9a9, SIM_ATOMIC_GLOBAL, false},                      // ATOMG.CAS
    {0x984, SIM_LD_SHARED, true}, {0x83b, SIM_LD_SHARED, false},                               // LDS, LDSM
    {0x388, SIM_ST_SHARED, true}, {0x988, SIM_ST_SHARED, true}, {0x844, SIM_ST_SHARED, false}, // STS, STSM
    {0x38c, SIM_ATOMIC_SHARED, false}, {0x98c, SIM_ATOMIC_SHARED, false}, {0xf8c, SIM_ATOMIC_SHARED, false}, // ATOMS
    {0x38d, SIM_ATOMIC_SHARED, false}, {0x98d, SIM_ATOMIC_SHARED, false}, // ATOMS.CAS
    {0x983, SIM_LD_LOCAL, true},                                          // LDL
    {0x387, SIM_ST_LOCAL, true}, {0x987, SIM_ST_LOCAL, true},             // STL
    {0x980, SIM_LD_GENERIC, true},                                        // LD
    {0x385, SIM_ST_GENERIC, true}, {0x985, SIM_ST_GENERIC, true},         // ST
    {0x38a, SIM_ATOMIC_GENERIC, false}, {0x98a, SIM_ATOMIC_GENERIC, false}, {0x9a2, SIM_ATOMIC_GENERIC, false}, // ATOM
    {0x38b, SIM_ATOMIC_GENERIC, false}, {0x98b, SIM_ATOMIC_GENERIC, false}, // ATOM.CAS
};

// The bytes of a lane that a load or a store moves: three bits behind the 72nd. 0: what that means is not known.
static uint32_t width_of(const unsigned char *instruction)
{
    static const uint8_t bytes[8] = {1, 1, 2, 2, 4, 8, 16};
    return bytes[instruction[9] >> 1 & 7];
}

static void count(const unsigned char *text, size_t bytes, int32_t counts[SIM_LISTED])
{
    memset(counts, 0, SIM_LISTED * sizeof *counts);
    for (size_t at = 0; at + INSTRUCTION <= bytes; at += INSTRUCTION) {
        const unsigned word = text[at] | (unsigned)text[at + 1] << 8;
        if (word >> 12 == NEVER) continue; // the compiler puts such before copies, to keep a distance
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (rows[k].code == (word & 0xfff))
                counts[sim_listed_at(rows[k].is, rows[k].wide ? width_of(text + at) : 0)]++;
    }
}

static bool within(uint64_t from, uint64_t bytes, size_t all) { return from <= all && bytes <= all - from; }

// Whether the text at `at` in the section of names is ".text." and the entry.
static bool is_text_of(const unsigned char *file, const Elf64_Shdr *names, uint64_t at, const char *entry)
{
    static const char text[] = ".text.";
    const size_t n = strlen(entry);
    if (!within(at, sizeof text - 1 + n + 1, names->sh_size)) return false;
    const char *name = (const char *)file + names->sh_offset + at;
    return memcmp(name, text, sizeof text - 1) == 0 && memcmp(name + sizeof text - 1, entry, n + 1) == 0;
}

static bool section(const unsigned char *file, size_t bytes, const Elf64_Ehdr *head, unsigned n, Elf64_Shdr *s)
{
    const uint64_t from = head->e_shoff + (uint64_t)n * sizeof *s;
    if (n >= head->e_shnum || from < head->e_shoff || !within(from, sizeof *s, bytes)) return false;
    memcpy(s, file + from, sizeof *s);
    return within(s->sh_offset, s->sh_size, bytes);
}

bool sass_listed(const struct code *code, const char *entry, int32_t counts[SIM_LISTED])
{
    const unsigned char *file = code->cubin;
    const size_t bytes = code->cubin_bytes;
    Elf64_Ehdr head;
    Elf64_Shdr names, s;
    int sm;
    if (!file || sscanf(code->arch, "sm_%d", &sm) != 1 || sm < OLDEST || sm > NEWEST) return false;
    if (bytes < sizeof head || memcmp(file, ELFMAG, SELFMAG) != 0 || file[EI_CLASS] != ELFCLASS64) return false;
    memcpy(&head, file, sizeof head);
    if (head.e_shentsize != sizeof s || !section(file, bytes, &head, head.e_shstrndx, &names)) return false;
    for (unsigned n = 0; n < head.e_shnum; n++) {
        if (!section(file, bytes, &head, n, &s) || !is_text_of(file, &names, s.sh_name, entry)) continue;
        count(file + s.sh_offset, s.sh_size, counts);
        return true;
    }
    return false;
}
