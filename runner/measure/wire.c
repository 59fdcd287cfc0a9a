// One function for each struct both writes and reads, so that the two cannot differ.
// SPDX-License-Identifier: MIT
#include "measure/wire.h"
#include "measure/result.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct wire {
    struct str *out;         // writing, or NULL
    const unsigned char *at; // reading
    size_t left;
    struct arena *arena;
    bool bad;
    int depth; // of lists in lists
    bool nested;
};

// A new member of these structs must be sent too: add it below, then correct the size here.
_Static_assert(sizeof(void *) != 8 ||
        (sizeof(struct job) - sizeof(((struct job *)0)->settings) == 400 && sizeof(struct job_buffer) == 184 &&
            sizeof(struct job_constant) == 40 && sizeof(struct job_argument) == 104 && sizeof(struct goals) == 48),
    "wire.c sends every member of a job: add what is new");

static void bytes(struct wire *w, void *p, size_t size)
{
    if (w->out) {
        str_add_bytes(w->out, p, size);
        return;
    }
    if (w->bad || size > w->left) {
        w->bad = true;
        memset(p, 0, size);
        return;
    }
    memcpy(p, w->at, size);
    w->at += size;
    w->left -= size;
}

#define NUMBER(w, member) bytes(w, &(member), sizeof(member))

static void flag(struct wire *w, bool *b)
{
    unsigned char c = w->out ? *b : 0; // only 0 and 1 may become a bool
    bytes(w, &c, 1);
    if (w->out) return;
    w->bad |= c > 1;
    *b = c == 1;
}

// An enum that is at most `most`.
static int choice(struct wire *w, int value, int most)
{
    int32_t v = value;
    NUMBER(w, v);
    if (v >= 0 && v <= most) return v;
    w->bad = true;
    return 0;
}
#define CHOICE(w, member, most) \
    do { \
        int chosen_ = choice(w, (int)(member), most); \
        if (!(w)->out) (member) = (__typeof__(member))chosen_; \
    } while (0)

// A text of any length, or NULL.
static void text(struct wire *w, const char **s)
{
    uint64_t n = w->out ? *s ? strlen(*s) : UINT64_MAX : 0;
    NUMBER(w, n);
    if (w->out) {
        if (*s) str_add_bytes(w->out, *s, (size_t)n);
        return;
    }
    *s = NULL;
    if (w->bad || n == UINT64_MAX) return;
    if (n > w->left || memchr(w->at, '\0', (size_t)n)) {
        w->bad = true;
        return;
    }
    *s = arena_strndup(w->arena, (const char *)w->at, (size_t)n);
    w->at += n;
    w->left -= (size_t)n;
}

#define TEXTS(w, ...) \
    do { \
        const char **const all_[] = {__VA_ARGS__}; \
        for (size_t i_ = 0; i_ < sizeof all_ / sizeof *all_; i_++) text(w, all_[i_]); \
    } while (0)

// A text in an array: only its characters are sent.
static void chars(struct wire *w, char *s, size_t room)
{
    uint64_t n = w->out ? strnlen(s, room - 1) : 0;
    NUMBER(w, n);
    if (w->out) {
        str_add_bytes(w->out, s, (size_t)n);
        return;
    }
    memset(s, 0, room);
    if (n >= room || n > w->left) w->bad = true;
    else bytes(w, s, (size_t)n);
}

// The number of items that follow. When reading, it may not be more than the bytes left: each item has at least one.
static size_t count(struct wire *w, size_t n)
{
    uint64_t v = n;
    NUMBER(w, v);
    if (!w->out && v > w->left) w->bad = true;
    return w->bad ? 0 : (size_t)v;
}

// The items of an array that something points to, one by one. Writing only reads from them; reading makes them in the
// arena.
static void *items(struct wire *w, const void *old, size_t *number, size_t size)
{
    *number = count(w, *number);
    if (w->out) return (void *)(uintptr_t)old;
    return *number ? arena_alloc(w->arena, *number * size) : NULL;
}
#define ARRAY(w, pointer, number, each) \
    do { \
        char *items_ = items(w, pointer, &(number), sizeof *(pointer)); \
        for (size_t i_ = 0; i_ < (number) && !(w)->bad; i_++) each(w, (void *)(items_ + i_ * sizeof *(pointer))); \
        if (!(w)->out) (pointer) = (void *)items_; \
    } while (0)

static void value(struct wire *w, struct value *v);

static void list(struct wire *w, const struct value_list **l)
{
    bool there = w->out && *l;
    flag(w, &there);
    if (!w->out) *l = NULL;
    if (!there || w->bad || w->depth >= 8) {
        w->bad |= there;
        return;
    }
    size_t n = count(w, w->out ? (*l)->count : 0);
    struct value_list *to = w->out ? NULL : arena_alloc(w->arena, sizeof *to + n * sizeof *to->items);
    w->depth++;
    for (size_t i = 0; i < n && !w->bad; i++) {
        struct value v = w->out ? (*l)->items[i] : (struct value){0};
        value(w, &v);
        if (to) to->items[i] = v;
    }
    w->depth--;
    if (!to) return;
    to->count = n;
    *l = to;
}

static void value(struct wire *w, struct value *v)
{
    CHOICE(w, v->kind, VALUE_LIST);
    switch (v->kind) {
    case VALUE_NONE: break;
    case VALUE_INT: NUMBER(w, v->i); break;
    case VALUE_REAL: NUMBER(w, v->r); break;
    case VALUE_BOOL: flag(w, &v->b); break;
    case VALUE_TEXT:
        text(w, &v->text);
        w->bad |= !v->text;
        break;
    case VALUE_LIST:
        list(w, &v->list);
        w->bad |= !v->list;
        break;
    }
}

static void place(struct wire *w, struct where *at)
{
    text(w, &at->file);
    NUMBER(w, at->line);
    NUMBER(w, at->column);
    NUMBER(w, at->width);
    text(w, &at->source);
}

static void constant(struct wire *w, struct job_constant *c)
{
    CHOICE(w, c->kind, PARAM_VARIANT);
    text(w, &c->name);
    value(w, &c->value);
    list(w, &c->one_of);
}

static void buffer(struct wire *w, struct job_buffer *b)
{
    TEXTS(w, &b->name, &b->as, &b->type, &b->scalar);
    NUMBER(w, b->lanes), NUMBER(w, b->count), NUMBER(w, b->element_bytes), NUMBER(w, b->bytes), NUMBER(w, b->step),
        NUMBER(w, b->extent), NUMBER(w, b->rank), NUMBER(w, b->swapped);
    CHOICE(w, b->access, ACCESS_BOTH);
    CHOICE(w, b->fill, FILL_FILE);
    text(w, &b->made);
    NUMBER(w, b->made_line);
    TEXTS(w, &b->low, &b->high, &b->file, &b->file_hash);
    NUMBER(w, b->seed);
    flag(w, &b->shifts), flag(w, &b->shuffled), flag(w, &b->skewed), flag(w, &b->declared);
    text(w, &b->memory);
}

static void argument(struct wire *w, struct job_argument *a)
{
    struct job_tensor map = w->out && a->tensor ? *a->tensor : (struct job_tensor){0}; // of rank 0: none
    NUMBER(w, a->buffer), NUMBER(w, a->report);
    value(w, &a->value);
    TEXTS(w, &a->name, &a->type, &a->as, &a->code, &a->words);
    NUMBER(w, a->offset), NUMBER(w, a->made), NUMBER(w, a->code_line), NUMBER(w, map);
    CHOICE(w, a->part, PART_TENSOR);
    w->bad |= map.rank > TENSOR_RANK || (a->part == PART_TENSOR) != (map.rank > 0);
    if (!w->out) a->tensor = map.rank ? arena_copy(w->arena, &map, sizeof map) : NULL;
}

static void launch(struct wire *w, struct job_launch *l)
{
    text(w, &l->entry);
    NUMBER(w, l->entry_line);
    w->bad |= !l->entry;
    ARRAY(w, l->arguments, l->argument_count, argument);
    NUMBER(w, l->grid), NUMBER(w, l->block), NUMBER(w, l->shared);
}

static void report(struct wire *w, struct report_value *r)
{
    TEXTS(w, &r->name, &r->type, &r->about);
    place(w, &r->at);
}

static void signature(struct wire *w, struct argument *a) { TEXTS(w, &a->name, &a->type); }

static void function(struct wire *w, const struct function **f)
{
    bool there = w->out && *f;
    flag(w, &there);
    struct function *to = w->out ? NULL : there ? arena_alloc(w->arena, sizeof *to) : NULL;
    if (!w->out) *f = to;
    if (!there) return;
    struct function it = w->out ? **f : (struct function){0};
    text(w, &it.name);
    NUMBER(w, it.line);
    ARRAY(w, it.arguments, it.count, signature);
    if (to) *to = it;
}

static void expects(struct wire *w, struct expects *e)
{
    function(w, &e->by);
    NUMBER(w, e->buffer);
    w->bad |= !e->by;
}

static void goals(struct wire *w, struct goals *g)
{
    NUMBER(w, g->of), NUMBER(w, g->precision), NUMBER(w, g->min_samples), NUMBER(w, g->max_samples),
        NUMBER(w, g->max_time), NUMBER(w, g->min_sample), NUMBER(w, g->warmup), NUMBER(w, g->contexts);
}

static void job(struct wire *w, struct job *j);

// One level of it: the kernel that says what is right is held against none.
static void base(struct wire *w, const struct job **b)
{
    bool there = w->out && *b;
    flag(w, &there);
    struct job copy = there && w->out ? **b : (struct job){0};
    if (!w->out) *b = NULL;
    if (!there || w->bad) return;
    w->bad |= w->nested;
    w->nested = true;
    if (!w->bad) job(w, &copy);
    w->nested = false;
    if (!w->out && !w->bad) *b = arena_copy(w->arena, &copy, sizeof copy);
}

static void job(struct wire *w, struct job *j)
{
    TEXTS(w, &j->experiment, &j->kernel, &j->path, &j->source, &j->entry);
    NUMBER(w, j->entry_line), NUMBER(w, j->host_line);
    TEXTS(w, &j->host, &j->contract, &j->contract_path);
    base(w, &j->base);
    ARRAY(w, j->constants, j->constant_count, constant);
    ARRAY(w, j->buffers, j->buffer_count, buffer);
    ARRAY(w, j->arguments, j->argument_count, argument);
    ARRAY(w, j->maps, j->map_count, argument);
    ARRAY(w, j->reports, j->report_count, report);
    function(w, &j->check);
    NUMBER(w, j->check_count);
    ARRAY(w, j->expects, j->expect_count, expects);
    for (size_t i = 0; i < j->expect_count && !w->bad; i++) w->bad |= j->expects[i].buffer >= j->buffer_count;
    NUMBER(w, j->tolerance);
    ARRAY(w, j->scalars, j->scalar_count, argument);
    NUMBER(w, j->grid), NUMBER(w, j->block), NUMBER(w, j->shared), NUMBER(w, j->beyond);
    ARRAY(w, j->launches, j->launch_count, launch);
    NUMBER(w, j->useful_bytes), NUMBER(w, j->flops), NUMBER(w, j->counts);
    for (size_t i = 0; i < SETTING_COUNT; i++) value(w, &j->settings[i]);
    goals(w, &j->goals);
    NUMBER(w, j->context), NUMBER(w, j->contexts), NUMBER(w, j->check_s), NUMBER(w, j->look_s), NUMBER(w, j->looked_us);
    flag(w, &j->stepwise);
    CHOICE(w, j->does, DOES_COUNTS);
}

static void result(struct wire *w, struct result *r)
{
    CHOICE(w, r->status, STATUS_SKIPPED);
    NUMBER(w, r->why);
    w->bad |= !why_good(&r->why);
    NUMBER(w, r->columns), NUMBER(w, r->reports);
    chars(w, r->device, sizeof r->device);
    chars(w, r->counts, sizeof r->counts);
    NUMBER(w, r->columns_sim), NUMBER(w, r->busy_s), NUMBER(w, r->wall_s), NUMBER(w, r->part), NUMBER(w, r->check_s),
        NUMBER(w, r->look_s), NUMBER(w, r->looked_us);
}

static void identity(struct wire *w, struct device_identity *id)
{
    chars(w, id->name, sizeof id->name);
    chars(w, id->spec, sizeof id->spec);
    chars(w, id->identity, sizeof id->identity);
    chars(w, id->arch, sizeof id->arch);
    chars(w, id->note, sizeof id->note), chars(w, id->limits, sizeof id->limits);
    flag(w, &id->timed), flag(w, &id->draws), flag(w, &id->places);
    NUMBER(w, id->peak_gbps), NUMBER(w, id->memory_total), NUMBER(w, id->memory_free);
}

// Nothing is missing and nothing is left.
static bool whole(const struct wire *w) { return !w->bad && w->left == 0; }

#define WRITE(what, type) \
    void wire_write_##what(struct str *out, const struct type *it) \
    { \
        struct wire w = {.out = out}; \
        struct type copy = *it; \
        what(&w, &copy); \
    }
WRITE(job, job)
WRITE(result, result)
WRITE(identity, device_identity)

bool wire_read_job(const void *p, size_t size, struct arena *a, struct job *j)
{
    struct wire w = {.at = p, .left = size, .arena = a};
    *j = (struct job){0};
    job(&w, j);
    return whole(&w);
}

bool wire_read_result(const void *p, size_t size, struct result *r)
{
    struct wire w = {.at = p, .left = size};
    result_init(r);
    result(&w, r);
    return whole(&w);
}

bool wire_read_identity(const void *p, size_t size, struct device_identity *id)
{
    struct wire w = {.at = p, .left = size};
    *id = (struct device_identity){0};
    identity(&w, id);
    return whole(&w);
}

static const char magic[4] = {'g', 'p', 'x', '1'};
static const uint64_t payload_most = (uint64_t)1 << 30;

void wire_frame(struct str *out, enum wire_kind kind, const void *payload, size_t size)
{
    uint32_t k = kind;
    uint64_t n = size;
    str_add_bytes(out, magic, sizeof magic);
    str_add_bytes(out, &k, sizeof k);
    str_add_bytes(out, &n, sizeof n);
    str_add_bytes(out, payload, size);
}

bool wire_head(const void *p, enum wire_kind *kind, size_t *payload)
{
    uint32_t k;
    uint64_t n;
    memcpy(&k, (const char *)p + 4, sizeof k), memcpy(&n, (const char *)p + 8, sizeof n);
    if (memcmp(p, magic, sizeof magic) != 0 || k < WIRE_JOB || k > WIRE_SAMPLES || n > payload_most) return false;
    *kind = (enum wire_kind)k;
    *payload = (size_t)n;
    return true;
}

bool wire_framed(const void *p, size_t size, enum wire_kind *kind, size_t *payload, bool *broken)
{
    *broken = size >= WIRE_HEAD && !wire_head(p, kind, payload);
    return size >= WIRE_HEAD && !*broken && *payload <= size - WIRE_HEAD;
}
