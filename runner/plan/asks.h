// What a job asks for: the one way to read its settings. Each reader is for one kind of value and says what holds where
// the setting is not set.
// SPDX-License-Identifier: MIT
#pragma once
#include "plan/job.h"

const char *asks_text(const struct job *, enum setting);             // "" where it is not a word
bool asks_is(const struct job *, enum setting, const char *word);    // is it this word?
bool asks_among(const struct job *, enum setting, const char *word); // is it this word, or a list with it?
const char *asks_nth(const struct job *, enum setting, size_t n); // the n-th word of a list, or the only one; or NULL
bool asks_true(const struct job *, enum setting);                 // false where it is not set
double asks_number(const struct job *, enum setting, double otherwise);
int64_t asks_whole(const struct job *, enum setting, int64_t otherwise); // rounded towards zero
// Bytes; a share (0.5) is taken of `whole`.
size_t asks_bytes(const struct job *, enum setting, size_t whole, size_t otherwise);
bool asks_any(const struct job *, enum setting); // is it set, and not to `none` or 0?
double asks_timeout(const struct job *);         // seconds, more than 0

// What a point leaves behind in its process, which a later one would feel: further streams in its context, persisting
// lines for as long as the process lives. Points are measured in this order, so that none does.
enum asks_leaves { LEAVES_NOTHING, LEAVES_STREAMS, LEAVES_PERSISTING };
enum asks_leaves asks_leaves(const struct job *);
// Its timed work goes over the host's bus, which all devices of a machine share.
bool asks_bus(const struct job *);
bool asks_memory(const struct job *, const char *kind); // is one of the buffers there?
bool asks_memory_of(const struct job_buffer *, const char *kind);
void asks_sample(struct job *, uint64_t blocks); // from now on, of one that is only looked at
// Up to three whole numbers; what is not given is 1. False: it is not set.
bool asks_dimensions(const struct job *, enum setting, uint32_t out[3]);
