// Reading the accesses of a kernel from its machine code: an ELF file that is made here, whole, cut short anywhere, and
// with any byte changed.
// SPDX-License-Identifier: MIT
#include "compile/compile.h"
#include "compile/sass_listed.h"
#include "unit/test.h"

#include <elf.h>
#include <stdlib.h>

enum { INSTRUCTIONS = 7, TEXT = INSTRUCTIONS * 16 };
static const char names[] = "\0.shstrtab\0.text.other\0.text.mine";

struct file {
    Elf64_Ehdr head;
    Elf64_Shdr sections[4];
    unsigned char other[TEXT], mine[TEXT];
    char names[sizeof names];
};

static void put(unsigned char *text, int at, unsigned word)
{
    text[16 * at] = (unsigned char)word;
    text[16 * at + 1] = (unsigned char)(word >> 8);
}

// Of so many bytes by the code 0 to 7.
static void put_wide(unsigned char *text, int at, unsigned word, unsigned width)
{
    put(text, at, word);
    text[16 * at + 9] = (unsigned char)(width << 1 | 1);
}

static struct file *make(void)
{
    struct file *f = calloc(1, sizeof *f);
    memcpy(f->head.e_ident, ELFMAG, SELFMAG);
    f->head.e_ident[EI_CLASS] = ELFCLASS64;
    f->head.e_shoff = offsetof(struct file, sections);
    f->head.e_shentsize = sizeof *f->sections;
    f->head.e_shnum = 4;
    f->head.e_shstrndx = 3;
    f->sections[1] = (Elf64_Shdr){.sh_name = 11, .sh_offset = offsetof(struct file, other), .sh_size = TEXT};
    f->sections[2] = (Elf64_Shdr){.sh_name = 23, .sh_offset = offsetof(struct file, mine), .sh_size = TEXT};
    f->sections[3] = (Elf64_Shdr){.sh_name = 1, .sh_offset = offsetof(struct file, names), .sh_size = sizeof names};
    memcpy(f->names, names, sizeof names);
    for (unsigned w = 0; w < 7; w++) put_wide(f->other, (int)w, 0x7984, w); // LDS of 8, 8, 16, 16, 32, 64 and 128 bits
    put_wide(f->mine, 0, 0x7981, 4);                                        // LDG
    put_wide(f->mine, 1, 0x0981, 6);                                        // the same of some lanes
    put(f->mine, 2, 0xf984);                                                // LDS of no lane, ever
    put_wide(f->mine, 3, 0x7988, 7);                                        // STS of a width that nobody knows
    put(f->mine, 4, 0x7fae);                                                // LDGSTS
    put(f->mine, 5, 0x7210);                                                // no access
    put(f->mine, 6, 0x798e);                                                // RED
    return f;
}

// Of exactly so many bytes on the heap, so that a look beyond them is seen.
static bool listed(const void *file, size_t bytes, const char *arch, const char *entry, int32_t counts[SIM_LISTED])
{
    struct code code = {.cubin = malloc(bytes + !bytes), .cubin_bytes = bytes};
    memcpy(code.cubin, file, bytes);
    snprintf(code.arch, sizeof code.arch, "%s", arch);
    const bool read = sass_listed(&code, entry, counts);
    free(code.cubin);
    return read;
}

int main(void)
{
    struct file *f = make();
    int32_t counts[SIM_LISTED];
    CHECK(listed(f, sizeof *f, "sm_90", "mine", counts));
    int32_t want[SIM_LISTED] = {0};
    want[sim_listed_at(SIM_LD_GLOBAL, 4)] = want[sim_listed_at(SIM_LD_GLOBAL, 16)] = 1;
    want[sim_listed_at(SIM_LD_GLOBAL, 0)] = want[sim_listed_at(SIM_ATOMIC_GLOBAL, 0)] = 1; // LDGSTS is a load
    want[sim_listed_at(SIM_ST_SHARED, 0)] = 1;
    for (int n = 0; n < SIM_LISTED; n++) CHECK_INT(counts[n], want[n]);
    CHECK(listed(f, sizeof *f, "sm_80", "other", counts));
    for (uint32_t bytes = 1; bytes <= 16; bytes *= 2)
        CHECK_INT(counts[sim_listed_at(SIM_LD_SHARED, bytes)], bytes <= 2 ? 2 : 1);
    CHECK(!listed(f, sizeof *f, "sm_90", "min", counts) && !listed(f, sizeof *f, "sm_90", "minee", counts));
    // Processors whose instructions are others, or that nobody has looked at; no machine code.
    CHECK(!listed(f, sizeof *f, "sm_75", "mine", counts) && !listed(f, sizeof *f, "sm_120", "mine", counts));
    CHECK(!listed(f, sizeof *f, "", "mine", counts));
    struct code none = {.arch = "sm_90"};
    CHECK(!sass_listed(&none, "mine", counts));
    for (size_t bytes = 0; bytes < sizeof *f - sizeof names + 1; bytes++)
        CHECK(!listed(f, bytes, "sm_90", "mine", counts));
    for (size_t at = 0; at < offsetof(struct file, other); at++)
        for (int bit = 0; bit < 8; bit++) {
            ((unsigned char *)f)[at] ^= (unsigned char)(1 << bit);
            listed(f, sizeof *f, "sm_90", "mine", counts); // whatever it says, it looks at nothing outside
            ((unsigned char *)f)[at] ^= (unsigned char)(1 << bit);
        }
    free(f);
    return test_end();
}
