// Random programs, the same from a seed: integer arithmetic, predicates, branches that part a warp, loops whose count
// differs from lane to lane, run by the simulator and, instruction by instruction for each thread, in C.
//     unit_sim_random [PROGRAMS [FIRST_SEED]]      400 programs from seed 1 unless it says otherwise
// SPDX-License-Identifier: MIT
#include "base/str.h"
#include "sim/sim.h"
#include "unit/test.h"

#include <stdlib.h>

enum { BLOCKS = 2, THREADS = 48, WORDS = 8, LONGS = 4, PREDICATES = 3, LOOPS = 4, MOST = 400, DEEP = 3 };

// X(name, PTX of one result: $d $a $b $c are registers, its value in C: A B C 32 bits, LA LB 64 bits, P a predicate)
#define WORD_ROWS(X) \
    X(add, "add.u32 $d, $a, $b;", A + B) \
    X(sub, "sub.s32 $d, $a, $b;", A - B) \
    X(mul, "mul.lo.u32 $d, $a, $b;", A *B) \
    X(high, "mul.hi.u32 $d, $a, $b;", (uint64_t)A *B >> 32) \
    X(high_signed, "mul.hi.s32 $d, $a, $b;", (uint64_t)((int64_t)(int32_t)A * (int32_t)B) >> 32) \
    X(mad, "mad.lo.s32 $d, $a, $b, $c;", A *B + C) \
    X(both, "and.b32 $d, $a, $b;", A &B) \
    X(either, "or.b32 $d, $a, $b;", A | B) \
    X(differ, "xor.b32 $d, $a, $b;", A ^ B) \
    X(invert, "not.b32 $d, $a;", ~A) \
    X(left, "shl.b32 $d, $a, $b;", B > 31 ? 0 : A << B) \
    X(left_by, "shl.b32 $d, $a, 5;", A << 5) \
    X(right, "shr.u32 $d, $a, $b;", B > 31 ? 0 : A >> B) \
    X(right_signed, "shr.s32 $d, $a, $b;", (int32_t)A >> (B > 31 ? 31 : B)) \
    X(least, "min.s32 $d, $a, $b;", (int32_t)A < (int32_t)B ? A : B) \
    X(most, "max.u32 $d, $a, $b;", A > B ? A : B) \
    X(distance, "sad.u32 $d, $a, $b, $c;", C + (A > B ? A - B : B - A)) \
    X(divided, "div.u32 $d, $a, $b;", B ? A / B : ~0u) \
    X(remainder, "rem.u32 $d, $a, $b;", B ? A % B : A) \
    X(ones, "popc.b32 $d, $a;", (uint32_t)__builtin_popcount(A)) \
    X(zeros, "clz.b32 $d, $a;", A ? (uint32_t)__builtin_clz(A) : 32) \
    X(chosen, "selp.b32 $d, $a, $b, $p;", P ? A : B) \
    X(low, "cvt.u32.u64 $d, $A;", LA) \
    X(byte, "cvt.s32.s8 $d, $a;", (int8_t)A) \
    X(constant, "add.u32 $d, $a, 2654435769;", A + 2654435769u)
#define LONG_ROWS(X) \
    X(long_add, "add.s64 $D, $A, $B;", LA + LB) \
    X(long_mul, "mul.lo.u64 $D, $A, $B;", LA *LB) \
    X(long_high, "mul.hi.u64 $D, $A, $B;", (uint64_t)((unsigned __int128)LA * LB >> 64)) \
    X(long_differ, "xor.b64 $D, $A, $B;", LA ^ LB) \
    X(long_left, "shl.b64 $D, $A, $b;", B > 63 ? 0 : LA << B) \
    X(long_right, "shr.s64 $D, $A, 7;", (int64_t)LA >> 7) \
    X(wide, "mul.wide.s32 $D, $a, $b;", (int64_t)(int32_t)A *(int32_t)B) \
    X(wide_mad, "mad.wide.u32 $D, $a, $b, $A;", (uint64_t)A *B + LA) \
    X(widened, "cvt.s64.s32 $D, $a;", (int64_t)(int32_t)A) \
    X(long_chosen, "selp.b64 $D, $A, $B, $p;", P ? LA : LB)
#define PREDICATE_ROWS(X) \
    X(below, "setp.lt.u32 $q, $a, $b;", A < B) \
    X(equal_low, "{ .reg .b32 %t; and.b32 %t, $a, 3; setp.eq.u32 $q, %t, 1; }", (A & 3) == 1) \
    X(not_less, "setp.ge.s64 $q, $A, $B;", (int64_t)LA >= (int64_t)LB) \
    X(negated, "not.pred $q, $p;", !P)

enum kind {
#define NAME(name, ptx, value) OP_##name,
    WORD_ROWS(NAME) LONG_ROWS(NAME) PREDICATE_ROWS(NAME) ARITHMETIC,
    OP_skip = ARITHMETIC, // to `target` unless the predicate holds
    OP_begin,             // a loop: its counter gets 1 to 4
    OP_again              // one less; back to `target` unless none is left
};
static const char *const texts[] = {
#define TEXT(name, ptx, value) ptx,
    WORD_ROWS(TEXT) LONG_ROWS(TEXT) PREDICATE_ROWS(TEXT)};

struct step {
    enum kind kind;
    int d, a, b, c, p, q, guard; // guard: a predicate, or -1
    int target, loop;
    bool labelled;
};
struct program {
    struct step steps[MOST];
    int count, loops;
    uint64_t random;
};

static uint32_t draw(struct program *g, uint32_t below)
{
    g->random = g->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->random >> 33) % below;
}

static struct step *add(struct program *g, enum kind kind)
{
    struct step *s = &g->steps[g->count++];
    *s = (struct step){.kind = kind, .d = (int)draw(g, WORDS), .a = (int)draw(g, WORDS), .b = (int)draw(g, WORDS)};
    s->c = (int)draw(g, WORDS), s->p = (int)draw(g, PREDICATES), s->q = (int)draw(g, PREDICATES);
    s->guard = kind < OP_skip && draw(g, 6) == 0 ? (int)draw(g, PREDICATES) : -1;
    return s;
}

static void make_block(struct program *g, int size, int deep)
{
    while (size-- > 0 && g->count < MOST - 20) {
        const uint32_t what = draw(g, 12);
        if (what == 0 && deep < DEEP) {
            const int at = g->count;
            add(g, OP_skip);
            make_block(g, 1 + (int)draw(g, 6), deep + 1);
            g->steps[at].target = g->count;
            g->steps[g->count].labelled = true;
            add(g, OP_add)->labelled = true;
        } else if (what == 1 && deep < DEEP && g->loops < LOOPS) {
            const int loop = g->loops++;
            add(g, OP_begin)->loop = loop;
            const int at = g->count;
            add(g, OP_differ)->labelled = true;
            make_block(g, 1 + (int)draw(g, 5), deep + 1);
            struct step *end = add(g, OP_again);
            end->loop = loop, end->target = at;
        } else add(g, (enum kind)draw(g, ARITHMETIC));
    }
}

static void write_step(const struct program *g, int n, struct str *s)
{
    const struct step *t = &g->steps[n];
    if (t->labelled) str_addf(s, "$L%d:\n", n);
    if (t->guard >= 0 && texts[t->kind][0] != '{') str_addf(s, "@%%p%d ", t->guard);
    if (t->kind == OP_skip) str_addf(s, "@!%%p%d bra $L%d;", t->p, t->target);
    else if (t->kind == OP_begin)
        str_addf(s, "and.b32 %%c%d, %%r%d, 3; add.u32 %%c%d, %%c%d, 1;", t->loop, t->a, t->loop, t->loop);
    else if (t->kind == OP_again)
        str_addf(s, "sub.u32 %%c%d, %%c%d, 1; setp.ne.u32 %%again, %%c%d, 0; @%%again bra $L%d;", t->loop, t->loop,
            t->loop, t->target);
    else
        for (const char *p = texts[t->kind]; *p; p++) {
            if (*p != '$') str_add_bytes(s, p, 1);
            else if (*++p == 'D' || *p == 'A' || *p == 'B')
                str_addf(s, "%%l%d", (*p == 'D' ? t->d : *p == 'A' ? t->a : t->b) % LONGS);
            else if (*p == 'p' || *p == 'q') str_addf(s, "%%p%d", *p == 'p' ? t->p : t->q);
            else str_addf(s, "%%r%d", *p == 'd' ? t->d : *p == 'a' ? t->a : *p == 'b' ? t->b : t->c);
        }
    str_add(s, "\n");
}

static void write_program(const struct program *g, struct str *s)
{
    str_add(s,
        ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_p)\n{\n"
        ".reg .b32 %r<8>, %c<4>, %x<3>; .reg .b64 %l<4>, %o<3>; .reg .pred %p<3>, %again;\n"
        "ld.param.u64 %o0, [k_p]; mov.u32 %x0, %ctaid.x; mov.u32 %x1, %tid.x; mad.lo.u32 %x1, %x0, 48, %x1;\n"
        "mul.wide.u32 %o1, %x1, 64; add.u64 %o0, %o0, %o1;\n");
    for (unsigned k = 0; k < WORDS; k++)
        str_addf(s, "mad.lo.u32 %%r%u, %%x1, %u, %u;\n", k, 0x9e3779b1u * (k + 1), k * 77);
    for (unsigned k = 0; k < LONGS; k++) str_addf(s, "mul.wide.u32 %%l%u, %%r%u, %u;\n", k, k, 0x85ebca6bu + k);
    for (unsigned k = 0; k < PREDICATES; k++) str_addf(s, "setp.lt.u32 %%p%u, %%r%u, %u;\n", k, k, 0x80000000u);
    for (int n = 0; n < g->count; n++) write_step(g, n, s);
    for (int k = 0; k < WORDS; k++) str_addf(s, "st.global.u32 [%%o0+%d], %%r%d;\n", 4 * k, k);
    for (int k = 0; k < LONGS; k++) str_addf(s, "st.global.u64 [%%o0+%d], %%l%d;\n", 32 + 8 * k, k);
    str_add(s, "ret;\n}\n");
}

struct state {
    uint32_t r[WORDS], loop[LOOPS];
    uint64_t l[LONGS];
    bool p[PREDICATES];
};

static void arithmetic(const struct step *t, struct state *x)
{
    const uint32_t A = x->r[t->a], B = x->r[t->b], C = x->r[t->c];
    const uint64_t LA = x->l[t->a % LONGS], LB = x->l[t->b % LONGS];
    const bool P = x->p[t->p];
    switch (t->kind) {
#define WORD(name, ptx, value) \
    case OP_##name: \
        x->r[t->d] = (uint32_t)(value); \
        break;
#define LONG(name, ptx, value) \
    case OP_##name: \
        x->l[t->d % LONGS] = (uint64_t)(value); \
        break;
#define PREDICATE(name, ptx, value) \
    case OP_##name: x->p[t->q] = (value); break;
        WORD_ROWS(WORD) LONG_ROWS(LONG) PREDICATE_ROWS(PREDICATE) default : break;
    }
}

static void run_in_c(const struct program *g, uint32_t thread, struct state *x)
{
    for (unsigned k = 0; k < WORDS; k++) x->r[k] = thread * (0x9e3779b1u * (k + 1)) + k * 77;
    for (unsigned k = 0; k < LONGS; k++) x->l[k] = (uint64_t)x->r[k] * (0x85ebca6bu + k);
    for (unsigned k = 0; k < PREDICATES; k++) x->p[k] = x->r[k] < 0x80000000u;
    for (int n = 0; n < g->count; n++) {
        const struct step *t = &g->steps[n];
        if (t->kind == OP_skip && !x->p[t->p]) n = t->target - 1;
        else if (t->kind == OP_begin) x->loop[t->loop] = (x->r[t->a] & 3) + 1;
        else if (t->kind == OP_again && --x->loop[t->loop]) n = t->target - 1;
        else if (t->kind < OP_skip && (t->guard < 0 || texts[t->kind][0] == '{' || x->p[t->guard])) arithmetic(t, x);
    }
}

static bool same(const struct program *g, const unsigned char *out)
{
    for (uint32_t thread = 0; thread < BLOCKS * THREADS; thread++) {
        struct state x = {0};
        run_in_c(g, thread, &x);
        if (memcmp(out + 64 * thread, x.r, 32) != 0 || memcmp(out + 64 * thread + 32, x.l, 32) != 0) return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    const uint64_t programs = argc > 1 ? strtoull(argv[1], NULL, 10) : 400,
                   first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct program *g = malloc(sizeof *g);
    struct sim *sim = sim_new(1);
    const uint64_t out = sim_alloc(sim, BLOCKS * THREADS * 64, "out");
    for (uint64_t seed = first; g && seed < first + programs; seed++) {
        char error[256] = "";
        struct str text = {0};
        struct sim_counts counts;
        struct sim_fault fault = {0};
        *g = (struct program){.random = seed * 0x9e3779b97f4a7c15u};
        make_block(g, 10 + (int)draw(g, 40), 0);
        write_program(g, &text);
        struct sim_module *m = sim_load(sim, text.text, error);
        struct sim_kernel *k = m ? sim_kernel(m, "k", error) : NULL;
        const struct sim_launch l = {
            .grid = {BLOCKS, 1, 1}, .block = {THREADS, 1, 1}, .params = &out, .param_bytes = sizeof out};
        const bool good =
            k && sim_launch(sim, k, &l, &counts, &fault) && same(g, sim_host(sim, out, BLOCKS * THREADS * 64));
        if (!good) printf("seed %llu: %s%s\n%s\n", (unsigned long long)seed, error, fault.what, text.text);
        CHECK(good);
        sim_unload(sim, m);
        str_release(&text);
        if (!good) break;
    }
    free(g);
    sim_free(sim);
    return test_end();
}
