// Why a row is as it is: codes, each with its facts. What is decided goes by the code; the sentence is made where a row
// is written or shown.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>
#include <stddef.h>

// X(enum suffix, the sentence: its directives take the facts). A code whose sentence begins with words is found by them
// in a report, too (why_in).
#define WHYS(X) \
    /* What others say: a device, a compiler, a file. */ \
    X(SAID, "%s") \
    X(SAID_AT, "%s:%d:%d: %s") \
    X(SAMPLE_FAILED, "%s") \
    X(SILENT, "the device gave no reason") \
    X(UNREAD, "the worker could not read its job") \
    /* The result. */ \
    X(UNVERIFIED, "not verified: %s") \
    X(WRITES, "the kernel writes to `%s`, which is `access: read`; with `access: both` it may") \
    X(WRITES_AT, \
        "the kernel writes to `%s`, which is `access: read`: `%s[%llu]` is the first element that is another; with " \
        "`access: both` it may") \
    X(WRONG, "%s%llu of %llu elements are wrong, the first is [%llu]%s%s") \
    X(WRONG_UNWRITTEN, "does the grid cover `%s`?") \
    X(WRONG_LITTLE, \
        "the first is off by %.2g of its value, as a sum in another order may be: `tolerance: {rel: N}` allows that") \
    X(WRONG_BY, "the largest error is %.6g") \
    X(UNLIKE, \
        "`%s`: %llu numbers are not what the first kernel makes of the same inputs, though `check` takes them; the " \
        "first is at %llu") \
    X(COARSE, \
        "`%s` is coarser than what the first kernel makes of the same inputs, by %.2g %% of its size; another order " \
        "of a sum is not") \
    X(COARSE_ALLOWED, \
        "`%s` is coarser than what the first kernel makes of the same inputs, by %.2g %% of its size: `tolerance` " \
        "allows it, and another order of a sum is not") \
    X(LEFT, "`%s` is written by the first kernel and not by this one; `check` does not take it") \
    X(UNBACKED, \
        "%zu more samples were taken, and none was as quick as the median is: so the time stands for no launch that " \
        "was looked at") \
    X(TAKES_ALL, "`check` takes all of %llu elements when all that was written is spoiled") \
    X(TAKES_NEAR, "`check` takes %llu of %llu elements when each number is some 2 %% off or a whole one by 2") \
    X(MISSES, "`check` misses %llu of %llu spoiled numbers: it looks at a part") \
    X(UNVARIED, "unvaried: no input is random") \
    X(WRONG_AFTER, "after %zu launches, the last of `%s`") \
    /* What did not end. */ \
    X(LATE, "not done after %.3g s (the setting `timeout`): its worker was ended") \
    X(WAS_SAMPLING, "it was taking samples, after a first run that ended") \
    X(WAS_DOING, "it was %.200s") \
    X(STEPWISE, "run again launch by launch, since it had gone wrong while samples were taken") \
    X(STEPWISE_WELL, "run again launch by launch it did not") \
    /* The samples. */ \
    X(RESTORES, \
        "putting back what a sample needs takes %.3g s: %d of them, the least for an interval, do not fit into " \
        "`max_time`, %.3g s") \
    X(THROTTLED, "the clock was throttled during every one of %.0f samples") \
    X(RESTED, "the GPU rested %.3g s, for its clock was held down") \
    X(BELOW_TIMER, "too short for the timer: the median of %.0f samples is 0") \
    X(ONE_SAMPLE, "only 1 sample in %.3g s (%zu discarded): no interval from fewer than %d") \
    X(NO_INTERVAL, "only %zu samples in %.3g s (%zu discarded): no interval from fewer than %d") \
    X(NO_SHARE, "the median of %zu samples of %s is 0, and no share of it is a goal") \
    X(DRIFT, "%s drift: of %zu samples the later half is %.3g %% %s than the earlier") \
    X(FEW_IN_TIME, "only %zu samples in %.3g s (%zu discarded), not %d") \
    X(FEW, "only %.0f samples (%.0f discarded), not %d") \
    X(REACHED, "reached %.3g %% after %zu samples in %.3g s, not %.3g %%") \
    X(REACHED_OF, "%s reached %.3g %% after %zu samples in %.3g s, not %.3g %%") \
    X(ONE_CONTEXT, "%s of one context: how far another differs is not known") \
    X(CONTEXTS_DIFFER, \
        "%s known to %.2g %%, not %.3g %%: %zu contexts differ by %.2g %%, which more samples do not narrow") \
    X(SAMPLES_SCATTER, "%s known to %.2g %%, not %.3g %%: samples leave %.2g %% open in each of %zu contexts") \
    X(TWO_TIMES, "two times, by where its buffers lie: %.4g us in %.0f %% of %zu places, %.4g us in the others") \
    X(QUICK_LOOK, "a quick look at one context: the interval leaves out what the next one draws anew") \
    X(SHORT_QUEUE, "samples of %.3g us are shorter than %.3g us: no more runs fit the launch queue") \
    X(SHORT_COLD, "samples of %.3g us are shorter than %.3g us and not batched: the cache is cold") \
    X(SHORT_RESTORED, \
        "samples of %.3g us are shorter than %.3g us and not batched: each run needs its state restored") \
    /* The counts. */ \
    X(NOT_COUNTED, "not counted: %s") \
    X(NO_COUNTERS, "no hardware counters: %s") \
    X(NOT_SIMULATED, "not counted by the simulator: %s") \
    X(LONGER, "longer than the model expects (%.4g to %.4g us): something takes time that it does not know") \
    X(SHORTER, "shorter than the model expects (%.4g to %.4g us): it counts something that costs less") \
    X(LOOKED_ENOUGH, "enough points were looked at")

enum why_code {
#define X(id, ...) WHY_##id,
    WHYS(X)
#undef X
        WHY_COUNT
};
#define X(id, form) static const char WHY_FORM_##id[] __attribute__((unused)) = form;
WHYS(X)
#undef X

enum { WHY_TEXT = 400, WHY_FACTS = 448, WHY_MOST = 12, WHY_NUMBERS = 24 };
struct why { // plain data: it is sent to another process. All zero: nothing to say
    unsigned char count, number_count;
    unsigned char codes[WHY_MOST];
    double numbers[WHY_NUMBERS]; // of all codes, in their order
    char texts[WHY_FACTS];       // the same, each with its end
};
// One more, with what its sentence takes: why_note(&w, RESTED, 2.5).
#define why_note(w, id, ...) why_add(w, WHY_##id, WHY_FORM_##id, ##__VA_ARGS__)
void why_add(struct why *, enum why_code, const char *form, ...) __attribute__((format(printf, 3, 4)));
void why_join(struct why *, const struct why *more);
bool why_good(struct why *); // of bytes that came from elsewhere; false: it was not, and says nothing now
bool why_has(const struct why *, enum why_code);
// All of it, "; " between; cut off where it does not fit. Returns `text`, "" where there is nothing to say.
const char *why_text(const struct why *, char text[WHY_TEXT]);
// Where a row's cell begins to say this; NULL: it does not.
const char *why_in(const char *cell, enum why_code);
