// base/: strings, nearest words, hashes, arenas.
// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "base/text.h"
#include "unit/test.h"

static void nearest_word_is_a_suggestion_only_when_near(void)
{
    const char *const keys[] = {"stride", "offset", "precision", NULL};
    CHECK_TEXT(str_nearest("strid", keys), "stride");
    CHECK_TEXT(str_nearest("presicion", keys), "precision");
    CHECK(str_nearest("zzz", keys) == NULL);
    static const char *const units[] = {"timed", "time_us", NULL};
    CHECK_TEXT(str_nearest("time", units), "time_us");
}

static void hash_depends_on_content_not_on_pieces(void)
{
    char a[33], b[33], c[33];
    struct hash h;
    hash_init(&h);
    hash_bytes(&h, "hello world", 11);
    hash_hex(h, a);
    hash_init(&h);
    hash_bytes(&h, "hel", 3);
    hash_bytes(&h, "lo world", 8);
    hash_hex(h, b);
    CHECK_TEXT(a, b);
    CHECK_TEXT(a, "510997ef6c99e81351d5000df9273291"); // the keys of all reports depend on it
    hash_bytes(&h, "", 1);
    hash_hex(h, c);
    CHECK(strcmp(a, c) != 0);
}

static void arena_memory_is_zeroed_and_aligned(void)
{
    struct arena *a = arena_new();
    for (size_t n = 1; n < 100000; n *= 3) {
        unsigned char *p = arena_alloc(a, n);
        CHECK((size_t)p % 16 == 0);
        for (size_t i = 0; i < n; i++) CHECK(p[i] == 0);
        memset(p, 0xff, n);
    }
    arena_free(a);
}

static void an_empty_file_is_an_empty_text(void)
{
    struct diags d = {0};
    char path[] = "/tmp/gpuexp-empty-XXXXXX";
    size_t size = 1;
    int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    mallopt(M_PERTURB, 0x55); // memory is not zero by chance
    char *text = file_read(path, 100, &size, &d);
    CHECK_TEXT(text, "");
    CHECK_INT(size, 0);
    free(text);
    mallopt(M_PERTURB, 0);
    unlink(path);
}

static void a_word_is_quoted_for_the_shell_where_it_must_be(void)
{
    static const struct {
        const char *word, *quoted;
    } rows[] = {{"n=64Mi", "n=64Mi"}, {"a/b.yaml", "a/b.yaml"}, {"", "''"}, {"x y", "'x y'"}, {"$HOME", "'$HOME'"},
        {"it's", "'it'\\''s'"}, {"stride=[1, 2]", "'stride=[1, 2]'"}, {"a\nb", "$'a\\012b'"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str s = {0};
        text_add_word(&s, rows[i].word);
        CHECK_TEXT(s.text, rows[i].quoted);
        str_release(&s);
    }
}

// What others wrote is shown without what moves the cursor, turns the direction or is no UTF-8.
static void what_may_not_be_shown_is_a_question_mark(void)
{
    static const struct {
        const char *text, *shown;
    } rows[] = {{"a\tb", "a\tb"}, {"\x1b[2J", "?[2J"}, {"gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f"}, {"\xd8\x9c", "??"},
        {"\xe2\x80\xae", "???"}, {"\xc2\x9b", "??"}, {"\xe0\x9f\xbf", "???"}, {"\xf0\x8f\xbf\xbd", "????"},
        {"\xc1\xbf", "??"}, {"\xed\xa0\x80", "???"}, {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}, {"\xe2\x82", "??"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct str s = {0};
        text_add(&s, rows[i].text, strlen(rows[i].text));
        CHECK_TEXT(s.text, rows[i].shown);
        str_release(&s);
    }
}

static void what_a_killed_writer_left_is_removed(void)
{
    char folder[] = "/tmp/gpuexp-unit-XXXXXX", path[96];
    const char *left[5];
    struct diags d = {0};
    const long killed = (long)getpid() + 1, writes = killed + 1; // not this process, whatever its number is
    struct arena *a = arena_new();
    left[0] = arena_printf(a, "x.html.%ld.tmp", killed), left[1] = arena_printf(a, "x.html.%ld.tmp", writes);
    left[2] = "x.html.no.tmp", left[3] = arena_printf(a, "y.html.%ld.tmp", killed);
    left[4] = arena_printf(a, "x.html.b.%ld.tmp", killed); // of another file, whose name begins so
    CHECK(mkdtemp(folder) != NULL);
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        CHECK(file_write(path, "", 0, &d));
    }
    snprintf(path, sizeof path, "%s/%s", folder, left[1]); // that one is being written
    const int fd = open(path, O_RDWR);
    CHECK(fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0);
    char own[160];
    snprintf(path, sizeof path, "%s/x.html", folder);
    snprintf(own, sizeof own, "%s.%ld.tmp", path, (long)getpid()); // of an earlier process of this number
    CHECK(symlink("/dev/null", own) == 0);
    CHECK(file_write(path, "page", 4, &d));
    CHECK(unlink(path) == 0 && unlink(own) != 0);
    for (size_t i = 0; i < 5; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, left[i]);
        CHECK_INT(unlink(path) == 0, i > 0);
    }
    close(fd);
    arena_free(a);
    CHECK(rmdir(folder) == 0);
}

static void prints_as_printf(double x)
{
    struct str s = {0}, want = {0};
    for (int digits = 0; digits <= 5; digits++) {
        str_clear(&s), str_clear(&want);
        str_add_fixed(&s, x, digits);
        str_addf(&want, "%.*f", digits, x);
        CHECK_TEXT(s.text, want.text);
    }
    str_clear(&s), str_clear(&want);
    str_add_short(&s, x);
    str_addf(&want, "%.4g", x);
    CHECK_TEXT(s.text, want.text);
    str_release(&s);
    str_release(&want);
}

// Any bits, any size, halves between two last digits.
static void a_number_is_printed_as_printf_would(void)
{
    struct hash h;
    uint64_t bits[2];
    hash_init(&h);
    for (int i = 0; i < 2000; i++) {
        hash_u64(&h, (uint64_t)i);
        hash_final(h, bits);
        double x;
        memcpy(&x, bits, sizeof x);
        prints_as_printf(x);
        prints_as_printf((double)(int64_t)bits[1] / (double)(1ULL << bits[0] % 64));
        prints_as_printf((double)(bits[1] % 100000000) * 0.0001);
        prints_as_printf((double)(bits[1] % 100000000) / 32);
        prints_as_printf((double)(bits[1] % 100000000) / (double)(bits[0] % 100000000 + 1));
    }
    static const double special[] = {
        0, -0.0, 0.5, 1.5, 0.9999, 99999.99995, 1e14, -1e13, (double)INFINITY, (double)NAN};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) prints_as_printf(special[i]);
    static const int64_t whole[] = {0, -1, 10, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++) {
        struct str s = {0};
        char want[32];
        str_add_int(&s, whole[i]);
        snprintf(want, sizeof want, "%lld", (long long)whole[i]);
        CHECK_TEXT(s.text, want);
        str_release(&s);
    }
}

static void an_ending_has_something_in_front_of_it(void)
{
    CHECK(text_ends("x.csv", ".csv") && !text_ends(".csv", ".csv") && !text_ends("csv", ".csv"));
    CHECK(!text_ends("x.csv.tmp", ".csv"));
}

int main(void)
{
    an_ending_has_something_in_front_of_it();
    what_a_killed_writer_left_is_removed();
    a_number_is_printed_as_printf_would();
    what_may_not_be_shown_is_a_question_mark();
    a_word_is_quoted_for_the_shell_where_it_must_be();
    an_empty_file_is_an_empty_text();
    nearest_word_is_a_suggestion_only_when_near();
    hash_depends_on_content_not_on_pieces();
    arena_memory_is_zeroed_and_aligned();
    return test_end();
}
