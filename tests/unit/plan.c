// plan/: which points an experiment has, in which order, and what removed the others.
// SPDX-License-Identifier: MIT
#include "plan/plan.h"

#include <stdlib.h>

#include "unit/test.h"

static struct arena *memory;
static struct sandbox *box;

static struct value one(const char *word)
{
    char *end;
    long i = strtol(word, &end, 10);
    return *end ? value_text(word) : value_int(i);
}

// "a=1 b=x" as assignments.
static struct assignments assign(const char *text)
{
    struct assignments all = {arena_alloc(memory, 8 * sizeof(struct assignment)), 0, {0}};
    for (char *p = strtok(arena_strdup(memory, text), " ="); p; p = strtok(NULL, " =")) {
        const char *value = strtok(NULL, " =");
        ((struct assignment *)all.items)[all.count++] = (struct assignment){p, one(value), {0}};
    }
    return all;
}

// "a: 1 2 3" as an axis.
static struct axis axis(const char *text)
{
    struct value *values = arena_alloc(memory, 32 * sizeof *values);
    struct axis a = {.values = values};
    a.name = strtok(arena_strdup(memory, text), ": ");
    for (char *p; (p = strtok(NULL, " "));) values[a.count++] = one(p);
    return a;
}

// Axes joined by + move in step.
static struct axes group(const char *text)
{
    struct axis *items = arena_alloc(memory, 4 * sizeof *items);
    struct axes g = {items, 0};
    char *copy = arena_strdup(memory, text);
    for (char *plus; copy; copy = plus) {
        if ((plus = strchr(copy, '+'))) *plus++ = '\0';
        items[g.count++] = axis(copy);
    }
    return g;
}

// A case states only the lists it is about.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
struct file {
    const char *names, *with, *sweep[4], *where[3], *include[4], *exclude[3];
};

static struct experiment *experiment(const struct file *f)
{
    struct experiment *e = arena_alloc(memory, sizeof *e);
    struct axes *sweep = arena_alloc(memory, sizeof f->sweep / sizeof *f->sweep * sizeof *sweep);
    struct source_expr *where = arena_alloc(memory, 3 * sizeof *where);
    struct assignments *include = arena_alloc(memory, 4 * sizeof *include),
                       *exclude = arena_alloc(memory, 3 * sizeof *exclude);
    const char **names = arena_alloc(memory, 9 * sizeof *names);
    *e = (struct experiment){
        .name = "x", .sweep = sweep, .where = where, .include = include, .exclude = exclude, .names = names};
    if (f->with) e->with = assign(f->with);
    while (e->sweep_count < 4 && f->sweep[e->sweep_count])
        sweep[e->sweep_count] = group(f->sweep[e->sweep_count]), e->sweep_count++;
    for (; e->where_count < 3 && f->where[e->where_count]; e->where_count++)
        where[e->where_count] =
            (struct source_expr){f->where[e->where_count], {"x.yaml", 3 + (int)e->where_count, 1, 1, NULL}};
    while (e->include_count < 4 && f->include[e->include_count])
        include[e->include_count] = assign(f->include[e->include_count]), e->include_count++;
    while (e->exclude_count < 3 && f->exclude[e->exclude_count])
        exclude[e->exclude_count] = assign(f->exclude[e->exclude_count]), e->exclude_count++;
    for (char *p = strtok(arena_strdup(memory, f->names), " "); p; p = strtok(NULL, " ")) names[e->name_count++] = p;
    return e;
}

static void add_values(const struct plan *p, const struct value *values, struct str *s)
{
    if (s->size) str_add(s, " ");
    for (size_t i = 0; i < plan_name_count(p); i++) {
        if (i) str_add(s, ",");
        value_print(values[i], s);
    }
}

static const char *points_of(const struct plan *p)
{
    struct str s = {0};
    struct value values[8];
    for (size_t i = 0; i < plan_count(p); i++) {
        plan_values(p, i, values);
        add_values(p, values, &s);
    }
    const char *text = arena_strdup(memory, s.text ? s.text : "none");
    str_release(&s);
    return text;
}

// The points as "a,b a,b ...", or the first complaint.
static const char *points(struct file f)
{
    struct diags d = {0};
    struct plan *p = plan_new(experiment(&f), box, &d);
    const char *text = p ? points_of(p) : arena_strdup(memory, diags_first(&d));
    plan_free(p);
    diags_clear(&d);
    return text;
}

struct listing {
    const struct plan *plan;
    struct str text;
};

static void list(void *context, const struct value *values, const char *why, struct where at)
{
    struct listing *l = context;
    add_values(l->plan, values, &l->text);
    str_addf(&l->text, "[%s@%d]", why, at.line);
}

static const char *removed(struct file f)
{
    struct diags d = {0};
    struct plan *p = plan_new(experiment(&f), box, &d);
    struct listing l = {p, {0}};
    size_t n = p ? plan_removed(p, list, &l) : 0;
    const char *text = arena_printf(memory, "%zu %s", n, l.text.text ? l.text.text : "");
    str_release(&l.text);
    plan_free(p);
    diags_clear(&d);
    return text;
}

static void axes_cross_in_file_order_the_last_fastest(void)
{
    CHECK_TEXT(points((struct file){"a b", NULL, {"a: 1 2", "b: x y z"}}), "1,x 1,y 1,z 2,x 2,y 2,z");
    CHECK_TEXT(points((struct file){"a b c", "b=7", {"a: 1 2", "c: 3"}}), "1,7,3 2,7,3");
    CHECK_TEXT(points((struct file){"a", "a=5"}), "5");
    CHECK_TEXT(points((struct file){"a", "a=5", {"a: 1 2"}}), "1 2");
    CHECK_TEXT(points((struct file){"a", NULL, {"a:"}}), "none");
}

static void together_moves_in_step(void)
{
    CHECK_TEXT(points((struct file){"a b c", NULL, {"c: 1 2", "a: 62 200+b: 76 150"}}),
        "62,76,1 200,150,1 62,76,2 200,150,2");
}

static void a_repeated_point_is_one(void)
{
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1 2 1 1 3 2"}}), "1 2 3");
    CHECK_TEXT(points((struct file){"a b", NULL, {"a: 1 1 2+b: 1 1 1"}}), "1,1 2,1");
    CHECK_TEXT(points((struct file){"a b", NULL, {"a: 1 2", "b: 3"}, .include = {"a=2 b=3", "a=9 b=3", "a=9 b=3"}}),
        "1,3 2,3 9,3");
}

static void include_inherits_with_and_defaults(void)
{
    CHECK_TEXT(points((struct file){"a b", "b=7", {"a: 1"}, .include = {"a=2", "a=2 b=8"}}), "1,7 2,7 2,8");
    CHECK_TEXT(points((struct file){"a b", "b=7", .include = {"a=2"}}), "2,7");
    CHECK_TEXT(points((struct file){"a streams", NULL, {"a: 1", "streams: 4"}, .include = {"a=2"}}), "1,4 2,1");
    CHECK_TEXT(points((struct file){"a z", NULL, {"a: 1", "z: 4"}, .include = {"a=2"}}), "1,4 2,");
}

static void clauses_remove_and_are_named(void)
{
    const struct file f = {"a b", NULL, {"a: 1 2", "b: 3 4"}, {"a * b < 8", "a + b ~= 4"}, .exclude = {"a=2 b=3"}};
    CHECK_TEXT(points(f), "1,4");
    CHECK_TEXT(removed(f), "3 1,3[where: a + b ~= 4@4] 2,3[exclude: {a: 2, b: 3}@0] 2,4[where: a * b < 8@3]");
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1 2"}, {"false"}}), "none");
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1 x 2"}, {"a == 'x' or a > 1"}}), "x 2");
    CHECK_TEXT(removed((struct file){"a", NULL, {"a: 1 2"}}), "0 ");
}

static void include_brings_a_removed_point_back(void)
{
    const struct file f = {"a", NULL, {"a: 1 2 3"}, {"a > 1"}, {"a=1"}};
    CHECK_TEXT(points(f), "2 3 1");
    CHECK_TEXT(removed(f), "0 ");
}

static void exclude_compares_values_not_kinds(void)
{
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1 2"}, .exclude = {"a=2"}}), "1");
    CHECK_TEXT(points((struct file){"a streams", NULL, {"a: 1 2"}, .exclude = {"streams=1"}}), "none");
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1 2"}, .exclude = {"streams=1 a=1"}}), "2");
}

static void a_clause_that_fails_names_the_point(void)
{
    CHECK_TEXT(points((struct file){"a b", NULL, {"a: 1 x", "b: 2"}, {"a < b"}}),
        "attempt to compare string with number (at a = x, b = 2)");
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1"}, {"a + 1"}}),
        "`where` must give true or false, and this gives neither (at a = 1)");
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1"}, {"a < bb"}}), "`bb` is not a name of this experiment");
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1"}, {"a < 2 and a <"}}), "ends too early");
    CHECK_TEXT(points((struct file){"a", NULL, {"a: 1 2"}, {"a < streams + 1"}}), "1");
}

static void points_can_be_appended_once(void)
{
    struct diags d = {0};
    struct plan *p = plan_new(experiment(&(struct file){"a b", "b=7", {"a: 1 2 3"}, {"a ~= 2"}}), box, &d);
    CHECK(!plan_append(p, (struct value[]){value_int(1), value_int(7)}));
    CHECK(!plan_append(p, (struct value[]){value_real(1.0), {0}})); // b is inherited
    CHECK(plan_append(p, (struct value[]){value_int(2), value_int(7)}));
    CHECK(plan_append(p, (struct value[]){value_real(2.5), value_int(7)}));
    CHECK(!plan_append(p, (struct value[]){value_real(2.5), value_int(7)}));
    CHECK_TEXT(points_of(p), "1,7 3,7 2,7 2.5,7");
    for (int i = 0; i < 1000; i++) CHECK(plan_append(p, (struct value[]){value_int(100 + i), value_int(7)}));
    for (int i = 0; i < 1000; i++) CHECK(!plan_append(p, (struct value[]){value_int(100 + i), value_int(7)}));
    CHECK_INT(plan_count(p), 1004);
    plan_free(p);
    diags_clear(&d);
}

// Over many seeds every point is about as often at every place: a shuffle that is only half done, or draws unevenly,
// is not that. The seeds are fixed, so the counts are always the same.
static void every_point_is_as_often_everywhere(void)
{
    enum { N = 8, SEEDS = 4000 };
    struct diags d = {0};
    struct plan *p = plan_new(experiment(&(struct file){"a", NULL, {"a: 1 2 3 4 5 6 7 8"}}), box, &d);
    int often[N][N] = {{0}};
    size_t n;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint32_t *order = plan_order(p, seed, 1, 1, &n);
        CHECK_INT(n, N);
        for (size_t i = 0; i < n && n == N; i++) often[i][order[i]]++;
        free(order);
    }
    for (int place = 0; place < N; place++)
        for (int which = 0; which < N; which++)
            CHECK(often[place][which] > SEEDS / N * 4 / 5 && often[place][which] < SEEDS / N * 6 / 5);
    plan_free(p);
}

static void order_is_a_permutation_of_the_seed(void)
{
    struct diags d = {0};
    struct plan *p =
        plan_new(experiment(&(struct file){"a b", NULL, {"a: 1 2 3 4 5 6 7", "b: 1 2 3 4 5 6 7"}}), box, &d);
    size_t n, m;
    uint32_t *order = plan_order(p, 42, 1, 1, &n), *again = plan_order(p, 42, 1, 1, &m),
             *other = plan_order(p, 43, 1, 1, &m);
    int seen[49] = {0}, moved = 0;
    CHECK_INT(n, 49);
    for (size_t i = 0; i < n; i++) seen[order[i]]++, moved += order[i] != i;
    for (size_t i = 0; i < n; i++) CHECK_INT(seen[i], 1);
    CHECK(moved > 30);
    CHECK(memcmp(order, again, n * sizeof *order) == 0);
    CHECK(memcmp(order, other, n * sizeof *order) != 0);
    int shared[49] = {0};
    for (unsigned shard = 1; shard <= 5; shard++) {
        uint32_t *mine = plan_order(p, 42, shard, 5, &m);
        CHECK_INT(m, shard <= 4 ? 10 : 9);
        for (size_t i = 0; i < m; i++) {
            CHECK_INT(mine[i], order[i * 5 + shard - 1]);
            shared[mine[i]]++;
        }
        free(mine);
    }
    for (size_t i = 0; i < n; i++) CHECK_INT(shared[i], 1);
    free(order);
    free(again);
    free(other);
    plan_free(p);
    p = plan_new(experiment(&(struct file){"a", NULL, {"a:"}}), box, &d);
    order = plan_order(p, 1, 1, 1, &n);
    CHECK_INT(n, 0);
    free(order);
    plan_free(p);
}

int main(void)
{
    box = sandbox_new(&(struct sandbox_limits){0});
    memory = arena_new();
    axes_cross_in_file_order_the_last_fastest();
    together_moves_in_step();
    a_repeated_point_is_one();
    include_inherits_with_and_defaults();
    clauses_remove_and_are_named();
    include_brings_a_removed_point_back();
    exclude_compares_values_not_kinds();
    a_clause_that_fails_names_the_point();
    points_can_be_appended_once();
    order_is_a_permutation_of_the_seed();
    every_point_is_as_often_everywhere();
    arena_free(memory);
    sandbox_free(box);
    return test_end();
}
