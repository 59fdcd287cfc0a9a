// A kernel's output: printf, written line by line to stderr, and device-side asserts.
// SPDX-License-Identifier: MIT
#include "base/say.h"
#include "base/str.h"
#include "sim/core/fault.h"
#include "sim/core/state.h"
#include "sim/ops/tables.h"

#include <stdio.h>
#include <string.h>

enum { MOST_WIDE = 1024, MOST_PRINTED = 1 << 20 }; // columns of a conversion; bytes of a launch, as CUDA's buffer holds

// The host bytes behind a generic address of one lane; NULL unless `bytes` of them are there.
static const void *reach(const struct warp *w, uint32_t lane, uint64_t address, uint64_t bytes)
{
    const struct block *b = w->block;
    const uint64_t window = address >> WINDOW_SHIFT, offset = address & WINDOW_OFFSET;
    if (window == 1) return bytes <= b->shared_size && offset <= b->shared_size - bytes ? b->shared + offset : NULL;
    if (window == 2)
        return bytes <= b->local_size && offset <= b->local_size - bytes
            ? w->local + (size_t)b->local_stride * lane + offset
            : NULL;
    const struct allocation *a = memory_find(&b->sim->memory, address);
    return a && bytes <= a->hi - address ? (const void *)(uintptr_t)address : NULL;
}

static void read_text(const struct warp *w, uint32_t lane, uint64_t address, struct str *text)
{
    const char *c;
    while ((c = reach(w, lane, address++, 1)) && *c && text->size < 4096) str_add_bytes(text, c, 1);
    str_add(text, "");
}

static uint64_t frame_value(const struct warp *w, uint32_t lane, const struct move *m)
{
    uint64_t v = 0;
    memcpy(&v, w->frame + (size_t)w->block->frame_stride * lane + m->from, m->size < 8 ? m->size : 8);
    return v;
}

// The digits of a width or precision, or the argument that `*` takes.
static int number(const struct warp *w, uint32_t lane, const char **f, uint64_t *args)
{
    int n = 0;
    if (**f == '*') {
        *args = (*args + 3) / 4 * 4;
        const int32_t *given = reach(w, lane, *args, 4);
        if (given) n = *given;
        *args += 4;
        ++*f;
    } else
        for (; **f >= '0' && **f <= '9'; ++*f) n = n < MOST_WIDE ? n * 10 + (**f - '0') : n;
    return n > MOST_WIDE ? MOST_WIDE : n < -MOST_WIDE ? -MOST_WIDE : n;
}

// One conversion, `%-5.2llx` say, with the next argument of the buffer. Returns behind it.
static const char *convert(const struct warp *w, uint32_t lane, const char *f, uint64_t *args, struct str *out)
{
    char spec[40] = "%";
    size_t n = 1;
    bool is_long = false;
    for (f++; *f && strchr("-+ #0", *f); f++)
        if (n < 8) spec[n++] = *f;
    const int width = number(w, lane, &f, args);
    if (width) n += (size_t)snprintf(spec + n, 12, "%d", width);
    if (*f == '.') {
        f++;
        const int precision = number(w, lane, &f, args);
        if (precision >= 0) n += (size_t)snprintf(spec + n, 12, ".%d", precision);
    }
    for (; *f && strchr("hlLzjt", *f); f++) is_long = is_long || strchr("lzjt", *f);
    if (!*f) return f;
    if (*f == '%') {
        str_add(out, "%");
        return f + 1;
    }
    const bool is_double = strchr("aAeEfFgG", *f), wide = is_double || is_long || *f == 's' || *f == 'p';
    const uint64_t size = wide ? 8 : 4;
    *args = (*args + size - 1) / size * size;
    const void *at = reach(w, lane, *args, size);
    *args += size;
    uint64_t bits = 0;
    if (at) memcpy(&bits, at, size);
    spec[n + 1] = 0;
    if (is_double) {
        double d;
        memcpy(&d, &bits, 8);
        spec[n] = *f;
        str_addf(out, spec, d);
    } else if (*f == 's') {
        struct str text = {0};
        read_text(w, lane, bits, &text);
        spec[n] = 's';
        str_addf(out, spec, text.text);
        str_release(&text);
    } else if (*f == 'p') str_addf(out, "0x%llx", (unsigned long long)bits);
    else if (*f == 'c') str_addf(out, "%c", (int)bits);
    else if (!strchr("diouxX", *f)) str_add(out, "?"); // not a conversion that a kernel can use
    else {
        spec[n] = 'l', spec[n + 1] = 'l', spec[n + 2] = *f, spec[n + 3] = 0;
        const bool is_signed = *f == 'd' || *f == 'i';
        if (is_signed) str_addf(out, spec, wide ? (long long)bits : (long long)(int32_t)bits);
        else str_addf(out, spec, (unsigned long long)bits);
    }
    return f + 1;
}

static HANDLER(print)
{
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        uint64_t args = i->call->arg_count > 1 ? frame_value(w, lane, &i->call->args[1]) : 0;
        struct str format = {0}, out = {0};
        read_text(w, lane, frame_value(w, lane, &i->call->args[0]), &format);
        for (const char *f = format.text; *f;)
            if (*f == '%') f = convert(w, lane, f, &args, &out);
            else str_add_bytes(&out, f++, 1);
        const size_t before = __atomic_fetch_add(&w->block->sim->printed, out.size, __ATOMIC_RELAXED);
        if (out.size && before < MOST_PRINTED)
            say_bytes(stderr, out.text, out.size); // one write: lines of other threads cannot get in between
        if (i->call->result_count) {
            const uint32_t count = (uint32_t)out.size;
            memcpy(w->frame + (size_t)w->block->frame_stride * lane + i->call->results[0].to, &count, 4);
        }
        str_release(&format);
        str_release(&out);
    }
    return i + 1;
}

// __assertfail(message, file, line, function, size of a character)
static HANDLER(assert_failed)
{
    const uint32_t lane = (uint32_t)__builtin_ctz(mask);
    struct str message = {0}, file = {0};
    unsigned line = 0;
    if (i->call->arg_count > 0) read_text(w, lane, frame_value(w, lane, &i->call->args[0]), &message);
    if (i->call->arg_count > 1) read_text(w, lane, frame_value(w, lane, &i->call->args[1]), &file);
    if (i->call->arg_count > 2) line = (unsigned)frame_value(w, lane, &i->call->args[2]);
    fault_set(w, i, lane, SIM_ASSERT, "assertion `%.120s` failed in %.60s:%u", message.text, file.text, line);
    str_release(&message);
    str_release(&file);
    return NULL;
}

const struct op print_ops[] = {{"vprintf", NULL, print}, {"__assertfail", NULL, assert_failed}, {NULL, NULL, NULL}};
