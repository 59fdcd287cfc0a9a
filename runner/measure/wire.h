// Jobs, results and identities as bytes, for the pipe between the run and its worker. Both ends are the same program,
// so the format may change at any time. But a dying worker can leave anything in a pipe: reading checks every length,
// count and choice, and refuses what is not exactly one whole value.
//
// Ownership: writing appends to a `struct str`. Reading copies: what a job points to lives in the arena given.
// SPDX-License-Identifier: MIT
#pragma once
#include "device/device.h"
#include "plan/job.h"

struct result;

void wire_write_job(struct str *, const struct job *);
bool wire_read_job(const void *, size_t, struct arena *, struct job *);
void wire_write_result(struct str *, const struct result *);
bool wire_read_result(const void *, size_t, struct result *);
void wire_write_identity(struct str *, const struct device_identity *);
bool wire_read_identity(const void *, size_t, struct device_identity *);

// Each is sent in a frame, which says what it is and how long.
enum wire_kind {
    WIRE_JOB = 1,
    WIRE_AHEAD,
    WIRE_IDENTITY,
    WIRE_ERROR,
    WIRE_RESULT,
    WIRE_LAST_RESULT,
    WIRE_AGAIN,
    WIRE_LAUNCHES,
    WIRE_SAMPLES
};
enum { WIRE_HEAD = 16 }; // bytes in front of the payload
void wire_frame(struct str *, enum wire_kind, const void *payload, size_t);
// What WIRE_HEAD bytes say of the frame; false when they do not begin one.
bool wire_head(const void *, enum wire_kind *, size_t *payload);
// Is there a whole frame at the start of these bytes? True: its kind and payload size; the frame takes WIRE_HEAD +
// *payload bytes. False with `*broken` true: these bytes can never become one.
bool wire_framed(const void *, size_t, enum wire_kind *, size_t *payload, bool *broken);
