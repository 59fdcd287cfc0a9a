// Settings of a job, each by its type.
// SPDX-License-Identifier: MIT
#include "plan/asks.h"

#include <math.h>
#include <string.h>

static struct value value_of(const struct job *job, enum setting s) { return job->settings[s]; }

static bool is_word(struct value v, const char *word) { return v.kind == VALUE_TEXT && strcmp(v.text, word) == 0; }

const char *asks_text(const struct job *job, enum setting s)
{
    return value_of(job, s).kind == VALUE_TEXT ? value_of(job, s).text : "";
}

bool asks_is(const struct job *job, enum setting s, const char *word) { return is_word(value_of(job, s), word); }

bool asks_among(const struct job *job, enum setting s, const char *word)
{
    const struct value v = value_of(job, s);
    if (v.kind != VALUE_LIST) return is_word(v, word);
    for (size_t i = 0; i < v.list->count; i++)
        if (is_word(v.list->items[i], word)) return true;
    return false;
}

const char *asks_nth(const struct job *job, enum setting s, size_t n)
{
    const struct value v = value_of(job, s);
    const bool list = v.kind == VALUE_LIST;
    if (n >= (list ? v.list->count : 1) || !asks_any(job, s)) return NULL;
    const struct value word = list ? v.list->items[n] : v;
    return word.kind == VALUE_TEXT ? word.text : NULL;
}

bool asks_true(const struct job *job, enum setting s)
{
    return value_of(job, s).kind == VALUE_BOOL && value_of(job, s).b;
}

double asks_number(const struct job *job, enum setting s, double otherwise)
{
    double number;
    return value_number(value_of(job, s), &number) ? number : otherwise;
}

int64_t asks_whole(const struct job *job, enum setting s, int64_t otherwise)
{
    const struct value v = value_of(job, s);
    if (v.kind == VALUE_INT) return v.i;
    const double number = asks_number(job, s, (double)NAN);
    return number >= -0x1p63 && number < 0x1p63 ? (int64_t)number : otherwise;
}

size_t asks_bytes(const struct job *job, enum setting s, size_t whole, size_t otherwise)
{
    const struct value v = value_of(job, s);
    const double number = asks_number(job, s, -1);
    if (v.kind == VALUE_INT && v.i >= 0) return (size_t)v.i;
    if (!(number >= 0 && number < 0x1p63)) return otherwise;
    return v.kind == VALUE_REAL && number <= 1 ? (size_t)(number * (double)whole) : (size_t)number;
}

bool asks_any(const struct job *job, enum setting s)
{
    return value_of(job, s).kind != VALUE_NONE && !asks_is(job, s, "none") && !asks_is(job, s, "") &&
        asks_number(job, s, 1) > 0;
}

double asks_timeout(const struct job *job)
{
    double seconds = asks_number(job, SETTING_TIMEOUT, 0);
    if (!(seconds > 0)) value_number(setting_default(SETTING_TIMEOUT), &seconds);
    return seconds;
}

bool asks_memory_of(const struct job_buffer *b, const char *kind) { return b->memory && strcmp(b->memory, kind) == 0; }

bool asks_memory(const struct job *job, const char *kind)
{
    for (size_t i = 0; i < job->buffer_count; i++)
        if (asks_memory_of(&job->buffers[i], kind)) return true;
    return false;
}

bool asks_bus(const struct job *job)
{
    return !asks_is(job, SETTING_TIMED, setting_default(SETTING_TIMED).text) || asks_memory(job, "mapped") ||
        asks_memory(job, "managed");
}

bool asks_dimensions(const struct job *job, enum setting s, uint32_t out[3])
{
    const struct value v = value_of(job, s);
    const struct value *items = v.kind == VALUE_LIST ? v.list->items : &v;
    const size_t count = v.kind == VALUE_LIST ? v.list->count : v.kind != VALUE_NONE;
    for (size_t i = 0; i < 3; i++) out[i] = i < count && items[i].kind == VALUE_INT ? (uint32_t)items[i].i : 1;
    return count > 0;
}

enum asks_leaves asks_leaves(const struct job *job)
{
    if (asks_any(job, SETTING_PERSIST) || asks_any(job, SETTING_WINDOW_BUFFER)) return LEAVES_PERSISTING;
    return asks_whole(job, SETTING_STREAMS, 1) > 1 ? LEAVES_STREAMS : LEAVES_NOTHING;
}

void asks_sample(struct job *j, uint64_t blocks) { j->settings[SETTING_SAMPLE] = value_int((int64_t)blocks); }
