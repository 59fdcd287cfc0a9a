// The opcodes of PTX and the words behind them: a mnemonic is read once and has a code, a class, a space, an order and
// types from then on; nobody compares its text again. A new opcode is a row in OPS_TABLE; what is not in the table
// keeps its name and is of no class.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;

// What an instruction is to the passes, each a bit so that sets of them can be asked for.
enum ops_class {
    CLASS_OTHER = 0,      // not in the table
    CLASS_PURE = 1 << 0,  // its result follows from its operands, lane by lane
    CLASS_CARRY = 1 << 1, // ... and from the carry of the one before
    CLASS_LOAD = 1 << 2,
    CLASS_STORE = 1 << 3,
    CLASS_ATOMIC = 1 << 4, // with a result
    CLASS_REDUCE = 1 << 5, // without
    CLASS_ASYNC = 1 << 6,  // a store or reduction that an mbarrier waits for
    CLASS_COPY = 1 << 7,   // from memory to memory
    CLASS_MBARRIER = 1 << 8,
    CLASS_TENSORMAP = 1 << 9,
    CLASS_TEXTURE = 1 << 10, // reads by coordinates
    CLASS_SURFACE = 1 << 11, // writes by coordinates
    CLASS_QUERY = 1 << 12,   // asks a texture for its size
    CLASS_JUMP = 1 << 13,
    CLASS_CALL = 1 << 14,
    CLASS_TRAP = 1 << 15,
    CLASS_BARRIER = 1 << 16,
    CLASS_FENCE = 1 << 17,
    CLASS_WAIT = 1 << 18,    // for time to pass, or another kernel
    CLASS_WARP = 1 << 19,    // looks across the lanes
    CLASS_PRODUCT = 1 << 20, // of matrices in registers
    CLASS_TILE_LOAD = 1 << 21,
    CLASS_TILE_STORE = 1 << 22, // by plain loads and stores (wmma)
    CLASS_MATRIX_LOAD = 1 << 23,
    CLASS_MATRIX_STORE = 1 << 24, // rows from many lanes
    CLASS_GROUP = 1 << 25,        // of a warp group
    CLASS_BLOCK = 1 << 26,        // asks where its block is in the cluster
    CLASS_STACK = 1 << 27,
    CLASS_HINT = 1 << 28,   // changes nothing that is counted here
    CLASS_POLICY = 1 << 29, // makes a hint for a cache
    CLASS_SYSTEM = 1 << 30  // memory of several GPUs
};
// What was loaded before these may be something else behind them.
#define CLASSES_THAT_ORDER \
    (CLASS_BARRIER | CLASS_FENCE | CLASS_CALL | CLASS_ATOMIC | CLASS_REDUCE | CLASS_ASYNC | CLASS_COPY | \
        CLASS_MBARRIER | CLASS_MATRIX_STORE | CLASS_WAIT | CLASS_TENSORMAP)

// Whether the first operand is a result; of a barrier only where it reduces.
enum ops_result { RESULT_NONE, RESULT_FIRST, RESULT_IF_RED };

// What it takes of a warp's turns to issue (ops_turns).
enum ops_cost { COST_ONE, COST_FMA, COST_DIVIDE, COST_ROOT, COST_RECIPROCAL, COST_SPECIAL, COST_CONVERT };

// name, text, class, result, cost. Of two that fit a mnemonic the longer one is meant.
#define OPS_TABLE(X) \
    /* arithmetic, lane by lane */ \
    X(ADD, "add", PURE, FIRST, FMA) \
    X(SUB, "sub", PURE, FIRST, FMA) \
    X(MUL, "mul", PURE, FIRST, FMA) \
    X(MAD, "mad", PURE, FIRST, ONE) \
    X(FMA, "fma", PURE, FIRST, FMA) \
    X(MUL24, "mul24", PURE, FIRST, ONE) \
    X(MAD24, "mad24", PURE, FIRST, ONE) \
    X(DIV, "div", PURE, FIRST, DIVIDE) \
    X(REM, "rem", PURE, FIRST, DIVIDE) \
    X(ABS, "abs", PURE, FIRST, ONE) \
    X(NEG, "neg", PURE, FIRST, ONE) \
    X(MIN, "min", PURE, FIRST, ONE) \
    X(MAX, "max", PURE, FIRST, ONE) \
    X(SAD, "sad", PURE, FIRST, ONE) \
    X(DP4A, "dp4a", PURE, FIRST, ONE) \
    X(DP2A, "dp2a", PURE, FIRST, ONE) \
    X(AND, "and", PURE, FIRST, ONE) \
    X(OR, "or", PURE, FIRST, ONE) \
    X(XOR, "xor", PURE, FIRST, ONE) \
    X(NOT, "not", PURE, FIRST, ONE) \
    X(CNOT, "cnot", PURE, FIRST, ONE) \
    X(SHL, "shl", PURE, FIRST, ONE) \
    X(SHR, "shr", PURE, FIRST, ONE) \
    X(SHF, "shf", PURE, FIRST, ONE) \
    X(BFE, "bfe", PURE, FIRST, ONE) \
    X(BFI, "bfi", PURE, FIRST, ONE) \
    X(BFIND, "bfind", PURE, FIRST, ONE) \
    X(BMSK, "bmsk", PURE, FIRST, ONE) \
    X(BREV, "brev", PURE, FIRST, ONE) \
    X(CLZ, "clz", PURE, FIRST, ONE) \
    X(FNS, "fns", PURE, FIRST, ONE) \
    X(LOP3, "lop3", PURE, FIRST, ONE) \
    X(POPC, "popc", PURE, FIRST, ONE) \
    X(PRMT, "prmt", PURE, FIRST, ONE) \
    X(SZEXT, "szext", PURE, FIRST, ONE) \
    X(MOV, "mov", PURE, FIRST, ONE) \
    X(CVT, "cvt", PURE, FIRST, CONVERT) \
    X(CVTA, "cvta", PURE, FIRST, ONE) \
    X(SELP, "selp", PURE, FIRST, ONE) \
    X(SLCT, "slct", PURE, FIRST, ONE) \
    X(SETP, "setp", PURE, FIRST, ONE) \
    X(SET, "set", PURE, FIRST, ONE) \
    X(TESTP, "testp", PURE, FIRST, ONE) \
    X(COPYSIGN, "copysign", PURE, FIRST, ONE) \
    X(RCP, "rcp", PURE, FIRST, RECIPROCAL) \
    X(SQRT, "sqrt", PURE, FIRST, ROOT) \
    X(RSQRT, "rsqrt", PURE, FIRST, SPECIAL) \
    X(SIN, "sin", PURE, FIRST, SPECIAL) \
    X(COS, "cos", PURE, FIRST, SPECIAL) \
    X(EX2, "ex2", PURE, FIRST, SPECIAL) \
    X(LG2, "lg2", PURE, FIRST, SPECIAL) \
    X(TANH, "tanh", PURE, FIRST, SPECIAL) \
    X(ISSPACEP, "isspacep", PURE, FIRST, ONE) \
    X(TURNS, "turns", PURE, FIRST, ONE) \
    X(ADDC, "addc", CARRY, FIRST, ONE) \
    X(SUBC, "subc", CARRY, FIRST, ONE) \
    X(MADC, "madc", CARRY, FIRST, ONE) \
    /* memory */ \
    X(LD, "ld", LOAD, FIRST, ONE) \
    X(LDU, "ldu", LOAD, FIRST, ONE) \
    X(ST, "st", STORE, NONE, ONE) \
    X(ATOM, "atom", ATOMIC, FIRST, ONE) \
    X(RED, "red", REDUCE, NONE, ONE) \
    X(ST_ASYNC, "st.async", ASYNC, NONE, ONE) \
    X(RED_ASYNC, "red.async", REDUCE, NONE, ONE) \
    X(CP, "cp", COPY, NONE, ONE) \
    X(CP_ASYNC, "cp.async", COPY, NONE, ONE) \
    X(CP_ARRIVE, "cp.async.mbarrier", COPY, NONE, ONE) \
    X(CP_BULK, "cp.async.bulk", COPY, NONE, ONE) \
    X(CP_REDUCE, "cp.reduce.async.bulk", COPY, NONE, ONE) \
    X(MBARRIER, "mbarrier", MBARRIER, FIRST, ONE) \
    X(TENSORMAP, "tensormap", TENSORMAP, NONE, ONE) \
    X(MULTIMEM, "multimem", SYSTEM, FIRST, ONE) \
    X(CREATEPOLICY, "createpolicy", POLICY, FIRST, ONE) \
    X(TEX, "tex", TEXTURE, FIRST, ONE) \
    X(TLD4, "tld4", TEXTURE, FIRST, ONE) \
    X(SULD, "suld", TEXTURE, FIRST, ONE) \
    X(SUST, "sust", SURFACE, NONE, ONE) \
    X(SURED, "sured", SURFACE, NONE, ONE) \
    X(TXQ, "txq", QUERY, FIRST, ONE) \
    X(SUQ, "suq", QUERY, FIRST, ONE) \
    /* where lanes go, and what they wait for */ \
    X(BRA, "bra", JUMP, NONE, ONE) \
    X(BRX, "brx", JUMP, NONE, ONE) \
    X(RET, "ret", JUMP, NONE, ONE) \
    X(EXIT, "exit", JUMP, NONE, ONE) \
    X(CALL, "call", CALL, NONE, ONE) \
    X(TRAP, "trap", TRAP, NONE, ONE) \
    X(BAR, "bar", BARRIER, IF_RED, ONE) \
    X(BARRIER, "barrier", BARRIER, IF_RED, ONE) \
    X(MEMBAR, "membar", FENCE, NONE, ONE) \
    X(FENCE, "fence", FENCE, NONE, ONE) \
    X(NANOSLEEP, "nanosleep", WAIT, NONE, ONE) \
    X(GRIDDEPCONTROL, "griddepcontrol", WAIT, NONE, ONE) \
    /* what looks across lanes */ \
    X(SHFL, "shfl", WARP, FIRST, ONE) \
    X(VOTE, "vote", WARP, FIRST, ONE) \
    X(MATCH, "match", WARP, FIRST, ONE) \
    X(REDUX, "redux", WARP, FIRST, ONE) \
    X(ELECT, "elect", WARP, FIRST, ONE) \
    X(ACTIVEMASK, "activemask", WARP, FIRST, ONE) \
    X(MMA, "mma", PRODUCT, FIRST, ONE) \
    X(WMMA_MMA, "wmma.mma", PRODUCT, FIRST, ONE) \
    X(MOVMATRIX, "movmatrix", PRODUCT, FIRST, ONE) \
    X(WMMA_LOAD, "wmma.load", TILE_LOAD, FIRST, ONE) \
    X(WMMA_STORE, "wmma.store", TILE_STORE, NONE, ONE) \
    X(LDMATRIX, "ldmatrix", MATRIX_LOAD, FIRST, ONE) \
    X(STMATRIX, "stmatrix", MATRIX_STORE, NONE, ONE) \
    X(WGMMA, "wgmma", GROUP, FIRST, ONE) \
    X(MAPA, "mapa", BLOCK, FIRST, ONE) \
    X(GETCTARANK, "getctarank", BLOCK, FIRST, ONE) \
    /* what does nothing here, and the stack */ \
    X(ALLOCA, "alloca", STACK, FIRST, ONE) \
    X(STACKSAVE, "stacksave", STACK, FIRST, ONE) \
    X(STACKRESTORE, "stackrestore", STACK, NONE, ONE) \
    X(PREFETCH, "prefetch", HINT, NONE, ONE) \
    X(PREFETCHU, "prefetchu", HINT, NONE, ONE) \
    X(DISCARD, "discard", HINT, NONE, ONE) \
    X(APPLYPRIORITY, "applypriority", HINT, NONE, ONE) \
    X(PMEVENT, "pmevent", HINT, NONE, ONE) \
    X(BRKPT, "brkpt", HINT, NONE, ONE) \
    X(SETMAXNREG, "setmaxnreg", HINT, NONE, ONE) \
    /* integers side by side in a word */ \
    X(VADD, "vadd", PURE, FIRST, ONE) \
    X(VSUB, "vsub", PURE, FIRST, ONE) \
    X(VABSDIFF, "vabsdiff", PURE, FIRST, ONE) \
    X(VMIN, "vmin", PURE, FIRST, ONE) \
    X(VMAX, "vmax", PURE, FIRST, ONE) \
    X(VSHL, "vshl", PURE, FIRST, ONE) \
    X(VSHR, "vshr", PURE, FIRST, ONE) \
    X(VMAD, "vmad", PURE, FIRST, ONE) \
    X(VSET, "vset", PURE, FIRST, ONE) \
    X(VADD2, "vadd2", PURE, FIRST, ONE) \
    X(VSUB2, "vsub2", PURE, FIRST, ONE) \
    X(VABSDIFF2, "vabsdiff2", PURE, FIRST, ONE) \
    X(VMIN2, "vmin2", PURE, FIRST, ONE) \
    X(VMAX2, "vmax2", PURE, FIRST, ONE) \
    X(VAVRG2, "vavrg2", PURE, FIRST, ONE) \
    X(VSET2, "vset2", PURE, FIRST, ONE) \
    X(VADD4, "vadd4", PURE, FIRST, ONE) \
    X(VSUB4, "vsub4", PURE, FIRST, ONE) \
    X(VABSDIFF4, "vabsdiff4", PURE, FIRST, ONE) \
    X(VMIN4, "vmin4", PURE, FIRST, ONE) \
    X(VMAX4, "vmax4", PURE, FIRST, ONE) \
    X(VAVRG4, "vavrg4", PURE, FIRST, ONE) \
    X(VSET4, "vset4", PURE, FIRST, ONE)

// The words behind the dots that mean something by themselves, types first.
#define OPS_WORDS_TABLE(X) \
    X(U8, "u8") \
    X(S8, "s8") \
    X(B8, "b8") \
    X(U16, "u16") \
    X(S16, "s16") \
    X(B16, "b16") \
    X(U32, "u32") \
    X(S32, "s32") \
    X(B32, "b32") \
    X(U64, "u64") \
    X(S64, "s64") \
    X(B64, "b64") \
    X(F16, "f16") \
    X(BF16, "bf16") \
    X(F16X2, "f16x2") \
    X(BF16X2, "bf16x2") \
    X(F32, "f32") \
    X(F64, "f64") \
    X(PRED, "pred") \
    X(B128, "b128") \
    X(GLOBAL, "global") \
    X(CONST, "const") \
    X(SHARED, "shared") \
    X(SHARED_CTA, "shared::cta") \
    X(SHARED_CLUSTER, "shared::cluster") \
    X(LOCAL, "local") \
    X(PARAM, "param") \
    X(PARAM_ENTRY, "param::entry") \
    X(PARAM_FUNC, "param::func") \
    X(VOLATILE, "volatile") \
    X(RELAXED, "relaxed") \
    X(ACQUIRE, "acquire") \
    X(RELEASE, "release") \
    X(ACQ_REL, "acq_rel") \
    X(MMIO, "mmio") \
    X(CTA, "cta") \
    X(CLUSTER, "cluster") \
    X(PROXY, "proxy") \
    X(EQ, "eq") \
    X(NE, "ne") \
    X(LT, "lt") \
    X(LE, "le") \
    X(GT, "gt") \
    X(GE, "ge") \
    X(LO, "lo") \
    X(LS, "ls") \
    X(HI, "hi") \
    X(HS, "hs") \
    X(ADD, "add") \
    X(MIN, "min") \
    X(MAX, "max") \
    X(AND, "and") \
    X(OR, "or") \
    X(XOR, "xor") \
    X(EXCH, "exch") \
    X(CAS, "cas") \
    X(INC, "inc") \
    X(DEC, "dec") \
    X(POPC, "popc") \
    X(RED, "red") \
    X(RN, "rn") \
    X(RZ, "rz") \
    X(RM, "rm") \
    X(RP, "rp") \
    X(RNA, "rna") \
    X(RNI, "rni") \
    X(RZI, "rzi") \
    X(RMI, "rmi") \
    X(RPI, "rpi") \
    X(APPROX, "approx") \
    X(FULL, "full") \
    X(FTZ, "ftz") \
    X(SAT, "sat") \
    X(SATFINITE, "satfinite") \
    X(RELU, "relu") \
    X(CC, "cc") \
    X(WIDE, "wide") \
    X(WRAP, "wrap") \
    X(CLAMP, "clamp") \
    X(ZERO, "zero") \
    X(SHR7, "shr7") \
    X(SHR15, "shr15") \
    X(TF32, "tf32") \
    X(E4M3, "e4m3") \
    X(E5M2, "e5m2") \
    X(S4, "s4") \
    X(U4, "u4") \
    X(B1, "b1") \
    X(E4M3X2, "e4m3x2") \
    X(E5M2X2, "e5m2x2") \
    X(PACK, "pack") \
    X(V2, "v2") \
    X(V4, "v4") \
    X(V8, "v8") \
    X(NC, "nc") \
    X(CG, "cg") \
    X(CV, "cv") \
    X(TO, "to") \
    X(SYNC, "sync") \
    X(ALIGNED, "aligned") \
    X(UNI, "uni") \
    X(ALL, "all") \
    X(ANY, "any") \
    X(BALLOT, "ballot") \
    X(UP, "up") \
    X(DOWN, "down") \
    X(BFLY, "bfly") \
    X(IDX, "idx") \
    X(WARP, "warp") \
    X(ASYNC, "async") \
    X(BULK, "bulk") \
    X(TENSOR, "tensor") \
    X(MBARRIER, "mbarrier") \
    X(MBARRIER_INIT, "mbarrier_init") \
    X(NOINC, "noinc") \
    X(REDUCE, "reduce") \
    X(READ, "read") \
    X(PREFETCH, "prefetch") \
    X(COMMIT_GROUP, "commit_group") \
    X(WAIT_GROUP, "wait_group") \
    X(WAIT_ALL, "wait_all") \
    X(FENCE, "fence") \
    X(INIT, "init") \
    X(INVAL, "inval") \
    X(ARRIVE, "arrive") \
    X(ARRIVE_DROP, "arrive_drop") \
    X(EXPECT_TX, "expect_tx") \
    X(COMPLETE_TX, "complete_tx") \
    X(TEST_WAIT, "test_wait") \
    X(TRY_WAIT, "try_wait") \
    X(PARITY, "parity") \
    X(PENDING_COUNT, "pending_count") \
    X(MBARRIER_COMPLETE_TX_BYTES, "mbarrier::complete_tx::bytes") \
    X(MULTICAST_CLUSTER, "multicast::cluster") \
    X(L2_CACHE_HINT, "L2::cache_hint") \
    X(IM2COL, "im2col") \
    X(IM2COL_NO_OFFS, "im2col_no_offs") \
    X(IM2COL_W, "im2col::w") \
    X(IM2COL_W_128, "im2col::w::128") \
    X(TILE_GATHER4, "tile::gather4") \
    X(TILE_SCATTER4, "tile::scatter4") \
    X(CTA_GROUP_1, "cta_group::1") \
    X(CTA_GROUP_2, "cta_group::2") \
    X(REPLACE, "replace") \
    X(CP_FENCEPROXY, "cp_fenceproxy") \
    X(GLOBAL_ADDRESS, "global_address") \
    X(RANK, "rank") \
    X(ELEMTYPE, "elemtype") \
    X(SWIZZLE_MODE, "swizzle_mode") \
    X(INTERLEAVE_LAYOUT, "interleave_layout") \
    X(FILL_MODE, "fill_mode") \
    X(GLOBAL_STRIDE, "global_stride") \
    X(GLOBAL_DIM, "global_dim") \
    X(ELEMENT_STRIDE, "element_stride") \
    X(BOX_DIM, "box_dim") \
    X(SP, "sp") \
    X(SP_ORDERED_METADATA, "sp::ordered_metadata") \
    X(MMA_ASYNC, "mma_async") \
    X(M8N8, "m8n8") \
    X(X2, "x2") \
    X(X4, "x4") \
    X(COL, "col") \
    X(TRANS, "trans") \
    X(D1, "1d") \
    X(D2, "2d") \
    X(D3, "3d") \
    X(D4, "4d") \
    X(D5, "5d") \
    X(A_D1, "a1d") \
    X(A_D2, "a2d") \
    X(CUBE, "cube") \
    X(ACUBE, "acube") \
    X(MS_2D, "2dms") \
    X(MS_A2D, "a2dms") \
    X(BASE, "base") \
    X(LEVEL, "level") \
    X(B, "b") \
    X(P, "p") \
    X(R, "r") \
    X(G, "g") \
    X(A, "a") \
    X(WIDTH, "width") \
    X(HEIGHT, "height") \
    X(DEPTH, "depth") \
    X(ARRAY_SIZE, "array_size") \
    X(NUM_MIPMAP_LEVELS, "num_mipmap_levels") \
    X(NUM_SAMPLES, "num_samples")

enum ops_code {
    OPS_UNKNOWN,
#define X(name, text, class, result, cost) OPS_##name,
    OPS_TABLE(X)
#undef X
        OPS_COUNT
};
enum ops_word {
    WORD_UNKNOWN,
#define X(name, text) WORD_##name,
    OPS_WORDS_TABLE(X)
#undef X
        WORD_COUNT,
    WORD_LAST_TYPE = WORD_B128
};
enum ptx_space { PTX_NOWHERE, PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM };

enum { OPS_WORDS = 16 };
struct ptx_op {
    const char *name;  // "ld.global.f32"
    const char *words; // its parts, a NUL behind each: word[k] is where they begin
    uint8_t word[OPS_WORDS], part[OPS_WORDS];
    uint8_t count; // of them
    uint8_t code;  // enum ops_code
    uint8_t cost;  // enum ops_cost
    uint8_t space; // enum ptx_space: the first that is named
    uint8_t type;  // enum ops_word: the last word, if it is a type
    bool has_result;
    bool strong; // volatile, relaxed and what is stronger
    uint32_t class;
    uint64_t has[(WORD_COUNT + 63) / 64];
    struct ptx_op *next; // of those that were read
};

// Each mnemonic of a module is read once: {0} before the first.
struct ops_read {
    struct ptx_op *first[64];
};
const struct ptx_op *ops_of(struct ops_read *, struct arena *, const char *text, size_t length);

// What the value of a special register hangs on; a bit each.
enum ops_origin {
    ORIGIN_THREAD = 1 << 0,  // its place in the block
    ORIGIN_BLOCK = 1 << 1,   // its number
    ORIGIN_CLUSTER = 1 << 2, // which cluster it is in, and where
    ORIGIN_LAUNCH = 1 << 3,  // the same everywhere
    ORIGIN_PLACE = 1 << 4,   // the multiprocessor
    ORIGIN_TIME = 1 << 5,
    ORIGIN_LANE = 1 << 6,
    ORIGIN_SYSTEM = 1 << 7 // what the driver told
};
struct ptx_special {
    const char *name; // "%tid.x"
    uint8_t what;     // enum special (base/special.h)
    uint8_t origin;   // enum ops_origin
    uint16_t which;
};
const struct ptx_special *ops_special(const char *name); // NULL: it is none, or none that is known

static inline bool ops_has(const struct ptx_op *op, enum ops_word part) { return op->has[part / 64] >> part % 64 & 1; }
// Which of these words, in their order, it has; the last of them. WORD_UNKNOWN ends them; -1: none.
int ops_which(const struct ptx_op *, const enum ops_word *);
static inline const char *ops_written(const struct ptx_op *op, int k)
{
    return k < op->count ? op->words + op->word[k] : "";
}
const char *ops_text(enum ops_word);
uint32_t ops_bytes(enum ops_word type); // 0: it is none, or a predicate
// About how many turns of the issue slots its machine code takes: divisions and roots are sequences, and some units are
// narrower than a warp.
uint32_t ops_turns(const struct ptx_op *);
// Of memory: reads of it, writes to it, both in one.
static inline bool ops_loads(const struct ptx_op *op) { return op->class & (CLASS_LOAD | CLASS_MATRIX_LOAD); }
static inline bool ops_stores(const struct ptx_op *op)
{
    return op->class & (CLASS_STORE | CLASS_MATRIX_STORE | CLASS_ASYNC);
}
static inline bool ops_adds(const struct ptx_op *op) { return op->class & (CLASS_ATOMIC | CLASS_REDUCE); }
// Whether floats of 32 or 64 bits are among its types.
bool ops_has_float(const struct ptx_op *);
