// One instruction of machine code (sm_80, sm_86, sm_89, sm_90), from its 128 bits: the operation, its guard, its
// operands, what the compiler scheduled, and the pipe that does it. What else an operation has (types, rounding,
// comparisons) stands in bits of its own, which sass_bits reads. Pure: no files, no state.
//
// The encodings are facts: read from what ptxas makes of kernels that ask, and held against nvdisasm
// (tests/unit/sass_decode.c).
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SASS_BYTES = 16, SASS_RZ = 255, SASS_URZ = 63, SASS_PT = 7, SASS_NO_BOARD = 7, SASS_BOARDS = 6 };

// The parts of an SM that instructions are issued to, as Nsight Compute names them.
enum sass_pipe {
    SASS_PIPE_NONE, // nothing is done: NOP, scheduling
    SASS_PIPE_ALU,
    SASS_PIPE_FMA,
    SASS_PIPE_FP64,
    SASS_PIPE_XU,
    SASS_PIPE_LSU,
    SASS_PIPE_TEX,
    SASS_PIPE_TENSOR,
    SASS_PIPE_UNIFORM,
    SASS_PIPE_CBU, // branches, convergence
    SASS_PIPE_ADU, // barriers, constants by index
    SASS_PIPES
};

// How operands stand in the bits. ALU: three sources, of which the second or third may be a number, a constant or a
// uniform register, as bits 9 to 11 say; UALU: the same of uniform registers; ONE: of these only the middle one.
enum sass_shape {
    SASS_SHAPE_NONE,
    SASS_SHAPE_ALU,
    SASS_SHAPE_ONE,
    SASS_SHAPE_UALU,
    SASS_SHAPE_MEMORY,
    SASS_SHAPE_FLOW
};

// name, lowest 9 bits, shape, pipe.
#define SASS_OPERATIONS(X) \
    X(MOV, "MOV", 0x002, ONE, ALU) \
    X(P2R, "P2R", 0x003, ALU, ALU) \
    X(R2P, "R2P", 0x004, ALU, ALU) \
    X(CS2R, "CS2R", 0x005, NONE, ALU) \
    X(VOTE, "VOTE", 0x006, NONE, ALU) \
    X(SEL, "SEL", 0x007, ALU, ALU) \
    X(FSEL, "FSEL", 0x008, ALU, ALU) \
    X(FMNMX, "FMNMX", 0x009, ALU, ALU) \
    X(FSET, "FSET", 0x00a, ALU, ALU) \
    X(FSETP, "FSETP", 0x00b, ALU, ALU) \
    X(ISETP, "ISETP", 0x00c, ALU, ALU) \
    X(VIMNMX3, "VIMNMX3", 0x00f, ALU, ALU) \
    X(IADD3, "IADD3", 0x010, ALU, ALU) \
    X(LEA, "LEA", 0x011, ALU, ALU) \
    X(LOP3, "LOP3", 0x012, ALU, ALU) \
    X(IABS, "IABS", 0x013, ONE, ALU) \
    X(VABSDIFF, "VABSDIFF", 0x014, ALU, ALU) \
    X(VABSDIFF4, "VABSDIFF4", 0x015, ALU, ALU) \
    X(PRMT, "PRMT", 0x016, ALU, ALU) \
    X(IMNMX, "IMNMX", 0x017, ALU, ALU) \
    X(SHF, "SHF", 0x019, ALU, ALU) \
    X(SGXT, "SGXT", 0x01a, ALU, ALU) \
    X(BMSK, "BMSK", 0x01b, ALU, ALU) \
    X(PLOP3, "PLOP3", 0x01c, NONE, ALU) \
    X(PLOP3_SIGNS, "PLOP3", 0x01f, ALU, ALU) \
    X(FMUL, "FMUL", 0x020, ALU, FMA) \
    X(FADD, "FADD", 0x021, ALU, FMA) \
    X(FSWZADD, "FSWZADD", 0x022, ALU, FMA) \
    X(FFMA, "FFMA", 0x023, ALU, FMA) \
    X(IMAD, "IMAD", 0x024, ALU, FMA) \
    X(IMAD_WIDE, "IMAD.WIDE", 0x025, ALU, FMA) \
    X(IDP, "IDP", 0x026, ALU, FMA) \
    X(IMAD_HI, "IMAD.HI", 0x027, ALU, FMA) \
    X(DMUL, "DMUL", 0x028, ALU, FP64) \
    X(DADD, "DADD", 0x029, ALU, FP64) \
    X(DSETP, "DSETP", 0x02a, ALU, FP64) \
    X(DFMA, "DFMA", 0x02b, ALU, FP64) \
    X(PREEXIT, "PREEXIT", 0x02d, NONE, CBU) \
    X(ACQBULK, "ACQBULK", 0x02e, NONE, CBU) \
    X(ELECT, "ELECT", 0x02f, NONE, ALU) \
    X(HADD2, "HADD2", 0x030, ALU, FMA) \
    X(HFMA2, "HFMA2", 0x031, ALU, FMA) \
    X(HMUL2, "HMUL2", 0x032, ALU, FMA) \
    X(HSET2, "HSET2", 0x033, ALU, ALU) \
    X(HSETP2, "HSETP2", 0x034, ALU, ALU) \
    X(HFMA2_MMA, "HFMA2.MMA", 0x035, ALU, TENSOR) \
    X(VIADD, "VIADD", 0x036, ALU, FMA) \
    X(IMMA, "IMMA", 0x037, ALU, TENSOR) \
    X(I2I, "I2I", 0x038, ALU, ALU) \
    X(I2IP, "I2IP", 0x039, ALU, ALU) \
    X(MOVM, "MOVM", 0x03a, ALU, LSU) \
    X(LDSM, "LDSM", 0x03b, MEMORY, LSU) \
    X(HMMA, "HMMA", 0x03c, ALU, TENSOR) \
    X(BMMA, "BMMA", 0x03d, ALU, TENSOR) \
    X(F2FP, "F2FP", 0x03e, ALU, ALU) \
    X(DMMA, "DMMA", 0x03f, ALU, TENSOR) \
    X(HMNMX2, "HMNMX2", 0x040, ALU, ALU) \
    X(STSM, "STSM", 0x044, MEMORY, LSU) \
    X(I2FP, "I2FP", 0x045, ONE, ALU) \
    X(VIADDMNMX, "VIADDMNMX", 0x046, ALU, ALU) \
    X(VHMNMX, "VHMNMX", 0x047, ALU, ALU) \
    X(VIMNMX, "VIMNMX", 0x048, ALU, ALU) \
    X(UMOV, "UMOV", 0x082, UALU, UNIFORM) \
    X(UP2UR, "UP2UR", 0x083, UALU, UNIFORM) \
    X(VOTEU, "VOTEU", 0x086, NONE, ADU) \
    X(USEL, "USEL", 0x087, UALU, UNIFORM) \
    X(UISETP, "UISETP", 0x08c, UALU, UNIFORM) \
    X(UIADD3, "UIADD3", 0x090, UALU, UNIFORM) \
    X(ULEA, "ULEA", 0x091, UALU, UNIFORM) \
    X(ULOP3, "ULOP3", 0x092, UALU, UNIFORM) \
    X(UPRMT, "UPRMT", 0x096, UALU, UNIFORM) \
    X(UIADD3_64, "UIADD3.64", 0x097, UALU, UNIFORM) \
    X(USHF, "USHF", 0x099, UALU, UNIFORM) \
    X(USGXT, "USGXT", 0x09a, UALU, UNIFORM) \
    X(UBMSK, "UBMSK", 0x09b, UALU, UNIFORM) \
    X(UPLOP3, "UPLOP3", 0x09c, NONE, UNIFORM) \
    X(UIMAD, "UIMAD", 0x0a4, UALU, UNIFORM) \
    X(UIMAD_WIDE, "UIMAD.WIDE", 0x0a5, UALU, UNIFORM) \
    X(UIMAD_HI, "UIMAD.HI", 0x0a7, UALU, UNIFORM) \
    X(ULDC, "ULDC", 0x0b9, NONE, UNIFORM) \
    X(ULDC_AT, "ULDC", 0x0bb, NONE, UNIFORM) \
    X(UFLO, "UFLO", 0x0bd, UALU, UNIFORM) \
    X(UBREV, "UBREV", 0x0be, UALU, UNIFORM) \
    X(UPOPC, "UPOPC", 0x0bf, UALU, UNIFORM) \
    X(R2UR_80, "R2UR", 0x1c2, NONE, ALU) \
    X(R2UR, "R2UR", 0x0ca, NONE, ALU) \
    X(FLO, "FLO", 0x100, ONE, XU) \
    X(BREV, "BREV", 0x101, ONE, XU) \
    X(FCHK, "FCHK", 0x102, ALU, XU) \
    X(F2F, "F2F", 0x104, ONE, XU) \
    X(F2I, "F2I", 0x105, ONE, XU) \
    X(I2F, "I2F", 0x106, ONE, XU) \
    X(FRND, "FRND", 0x107, ONE, XU) \
    X(MUFU, "MUFU", 0x108, ONE, XU) \
    X(POPC, "POPC", 0x109, ONE, XU) \
    X(F2F_64, "F2F", 0x110, ONE, XU) \
    X(F2I_64, "F2I", 0x111, ONE, XU) \
    X(I2F_64, "I2F", 0x112, ONE, XU) \
    X(FRND_64, "FRND", 0x113, ONE, XU) \
    X(NOP, "NOP", 0x118, NONE, NONE) \
    X(S2R, "S2R", 0x119, NONE, ADU) \
    X(DEPBAR, "DEPBAR", 0x11a, NONE, NONE) \
    X(ENDCOLLECTIVE, "ENDCOLLECTIVE", 0x11b, FLOW, CBU) \
    X(B2R, "B2R", 0x11c, NONE, ADU) \
    X(BAR, "BAR", 0x11d, NONE, ADU) \
    X(CALL_ABS, "CALL.ABS", 0x143, FLOW, CBU) \
    X(CALL_REL, "CALL.REL", 0x144, FLOW, CBU) \
    X(WARPSYNC_ALL, "WARPSYNC", 0x148, FLOW, CBU) \
    X(BREAK, "BREAK", 0x142, FLOW, CBU) \
    X(BSSY, "BSSY", 0x145, FLOW, CBU) \
    X(YIELD, "YIELD", 0x146, FLOW, CBU) \
    X(BRA, "BRA", 0x147, FLOW, NONE) \
    X(BRX, "BRX", 0x149, FLOW, CBU) \
    X(BSYNC, "BSYNC", 0x141, FLOW, CBU) \
    X(EXIT, "EXIT", 0x14d, FLOW, CBU) \
    X(LEPC, "LEPC", 0x14e, FLOW, CBU) \
    X(RET, "RET", 0x150, FLOW, CBU) \
    X(BMOV_R, "BMOV", 0x155, FLOW, CBU) \
    X(BMOV_B, "BMOV", 0x156, FLOW, CBU) \
    X(BPT, "BPT", 0x15c, FLOW, CBU) \
    X(NANOSLEEP, "NANOSLEEP", 0x15d, FLOW, CBU) \
    X(TEX, "TEX", 0x160, NONE, TEX) \
    X(TLD, "TLD", 0x166, NONE, TEX) \
    X(TXD, "TXD", 0x16c, NONE, TEX) \
    X(TLD4, "TLD4", 0x163, NONE, TEX) \
    X(LD, "LD", 0x180, MEMORY, LSU) \
    X(LDG, "LDG", 0x181, MEMORY, LSU) \
    X(LDC, "LDC", 0x182, NONE, ADU) \
    X(LDL, "LDL", 0x183, MEMORY, LSU) \
    X(LDS, "LDS", 0x184, MEMORY, LSU) \
    X(ST, "ST", 0x185, MEMORY, LSU) \
    X(STG, "STG", 0x186, MEMORY, LSU) \
    X(STL, "STL", 0x187, MEMORY, LSU) \
    X(STS, "STS", 0x188, MEMORY, LSU) \
    X(SHFL, "SHFL", 0x189, NONE, LSU) \
    X(ATOM, "ATOM", 0x18a, MEMORY, LSU) \
    X(ATOM_CAS, "ATOM.CAS", 0x18b, MEMORY, LSU) \
    X(ATOMS, "ATOMS", 0x18c, MEMORY, LSU) \
    X(ATOMS_CAS, "ATOMS.CAS", 0x18d, MEMORY, LSU) \
    X(RED, "REDG", 0x18e, MEMORY, LSU) \
    X(CCTL, "CCTL", 0x18f, NONE, TEX) \
    X(MEMBAR, "MEMBAR", 0x192, NONE, LSU) \
    X(SULD, "SULD", 0x199, NONE, TEX) \
    X(SUST, "SUST", 0x19d, NONE, TEX) \
    X(MATCH, "MATCH", 0x1a1, NONE, NONE) \
    X(ATOM_F, "ATOM", 0x1a2, MEMORY, LSU) \
    X(ATOMG_F, "ATOMG", 0x1a3, MEMORY, LSU) \
    X(RED_F, "REDG", 0x1a6, MEMORY, LSU) \
    X(SYNCS, "SYNCS", 0x1a7, NONE, NONE) \
    X(ATOMG, "ATOMG", 0x1a8, MEMORY, LSU) \
    X(ATOMG_CAS, "ATOMG.CAS", 0x1a9, MEMORY, LSU) \
    X(QSPC, "QSPC", 0x1aa, NONE, LSU) \
    X(ERRBAR, "ERRBAR", 0x1ab, NONE, LSU) \
    X(LDGSTS, "LDGSTS", 0x1ae, MEMORY, LSU) \
    X(LDGDEPBAR, "LDGDEPBAR", 0x1af, NONE, LSU) \
    X(ARRIVES, "ARRIVES", 0x1b0, NONE, LSU) \
    X(SYNCS_CCTL, "SYNCS.CCTL", 0x1b1, NONE, NONE) \
    X(SYNCS_EXCH, "SYNCS.EXCH", 0x1b2, NONE, NONE) \
    X(UTMAREDG, "UTMAREDG", 0x1b6, NONE, LSU) \
    X(UTMACMDFLUSH, "UTMACMDFLUSH", 0x1b7, NONE, LSU) \
    X(UTMALDG, "UTMALDG", 0x1b4, NONE, LSU) \
    X(UTMASTG, "UTMASTG", 0x1b5, NONE, LSU) \
    X(UTMAPF, "UTMAPF", 0x1b8, NONE, LSU) \
    X(UTMACCTL, "UTMACCTL", 0x1b9, NONE, LSU) \
    X(UBLKCP, "UBLKCP", 0x1ba, NONE, LSU) \
    X(UBLKRED, "UBLKRED", 0x1bb, NONE, LSU) \
    X(UBLKPF, "UBLKPF", 0x1bc, NONE, LSU) \
    X(STAS, "STAS", 0x1bd, NONE, LSU) \
    X(S2UR, "S2UR", 0x1c3, NONE, ADU) \
    X(REDUX, "REDUX", 0x1c4, NONE, ADU) \
    X(WARPGROUP, "WARPGROUP", 0x1c5, NONE, NONE) \
    X(FENCE, "FENCE.VIEW", 0x1c6, NONE, LSU) \
    X(UCGABAR, "UCGABAR", 0x1c7, NONE, ADU) \
    X(USETMAXREG, "USETMAXREG", 0x1c8, NONE, NONE) \
    X(HGMMA, "HGMMA", 0x1f0, NONE, TENSOR) \
    X(IGMMA, "IGMMA", 0x1f1, NONE, TENSOR) \
    X(BGMMA, "BGMMA", 0x1f2, NONE, TENSOR) \
    X(QGMMA, "QGMMA", 0x1f3, NONE, TENSOR)

#define SASS_ENUM(op, name, code, shape, pipe) SASS_##op,
enum sass_op { SASS_UNKNOWN, SASS_OPERATIONS(SASS_ENUM) SASS_OPS };

enum sass_source { SASS_NOTHING, SASS_REGISTER, SASS_UNIFORM, SASS_NUMBER, SASS_CONSTANT };
struct sass_operand {
    uint8_t from; // enum sass_source
    uint8_t reg;  // 255 and 63: zero
    uint8_t bank;
    bool neg, abs;  // as floats have them; whole numbers use some of these bits for other things
    uint32_t value; // the number; or where it stands in its constant bank
};

struct sass_inst {
    uint64_t lo, hi;
    uint32_t at;   // its offset in the code
    uint8_t arch;  // branches count differently before 90
    uint8_t op;    // enum sass_op
    uint8_t form;  // bits 9 to 11
    bool page;     // bit 91
    uint8_t guard; // the predicate; SASS_PT: always
    bool guard_not;
    uint8_t dst; // bits 16 to 23
    struct sass_operand a, b, c;
    // The compiler's schedule.
    uint8_t stall; // cycles until the next instruction of this warp may be issued
    bool yields;
    uint8_t sets, frees; // scoreboards: when the result is there, when the operands were read; SASS_NO_BOARD: none
    uint8_t waits;       // a bit for each scoreboard that must be clear before
};

// `at`: its offset in the code; `arch`: 80, 86, 89, 90.
struct sass_inst sass_decode(const unsigned char bits[SASS_BYTES], uint32_t at, int arch);
const char *sass_name(enum sass_op);
enum sass_pipe sass_pipe(enum sass_op);
enum sass_pipe sass_counted(const struct sass_inst *); // where Nsight Compute counts it
// So many bits from the n-th on, at most 63.
uint64_t sass_bits(const struct sass_inst *, int from, int count);
int64_t sass_signed(const struct sass_inst *, int from, int count);
static inline bool sass_bit(const struct sass_inst *i, int n) { return (n < 64 ? i->lo >> n : i->hi >> (n - 64)) & 1; }
// Its guard is a predicate of the warp, not of each lane.
bool sass_guard_is_uniform(const struct sass_inst *);
// It is never executed: its guard is `not true`.
static inline bool sass_never(const struct sass_inst *i) { return i->guard == SASS_PT && i->guard_not; }

// Where a branch, call or BSSY leads, as an offset in the code. False: it is in a register, or it leads nowhere.
bool sass_target(const struct sass_inst *, uint32_t *target);
int64_t sass_distance(const struct sass_inst *); // of a branch, in bytes from the next instruction
// Whether what follows it may be done by other lanes than it was: a stretch of code ends here.
bool sass_ends(const struct sass_inst *);
// Bytes that a lane moves; 0: it is no load or store with a width of its own.
uint32_t sass_width(const struct sass_inst *);
