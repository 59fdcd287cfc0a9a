// Shared by both compilers: the headers a kernel may include, the first complaint of a log, and the facts that ptxas
// prints.
// SPDX-License-Identifier: MIT
#include "compile/compiler.h"

#include "base/embed.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

int compiler_arch_number(const char *arch) { return arch && strncmp(arch, "sm_", 3) == 0 ? atoi(arch + 3) : 0; }

// Host headers that kernels tend to include: fixed-width types and limits are one small text, and what kernels use of
// C++'s library another. The rest is built in.
#define TEXT "runner/compile/text/"
static const struct {
    const char *text, *names;
} standard[] = {
    {TEXT "standard.h",
        "stdint.h cstdint stddef.h cstddef stdbool.h cstdbool limits.h climits float.h cfloat stdio.h cstdio stdlib.h "
        "cstdlib string.h cstring assert.h cassert math.h cmath math_constants.h cuda.h cuda_runtime.h "
        "device_launch_parameters.h device_functions.h device_atomic_functions.h sm_30_intrinsics.h "
        "cuda_runtime_api.h "
        // of the host's part: what it uses of them goes with it, or the next compiler has them
        "memory.h malloc.h time.h ctime unistd.h errno.h cerrno signal.h csignal inttypes.h cinttypes stdarg.h cstdarg "
        "sys/time.h sys/types.h sys/stat.h iostream istream ostream iosfwd ios iomanip fstream sstream string "
        "string_view vector array list deque queue stack map set unordered_map unordered_set tuple optional variant "
        "any bitset memory new exception stdexcept system_error typeinfo typeindex iterator initializer_list numeric "
        "random complex regex locale chrono atomic mutex shared_mutex condition_variable thread future filesystem"},
    {TEXT "standard_cxx.h", "limits type_traits utility algorithm functional"},
    {TEXT "cub.h", "cub/cub.cuh"},
};

enum { HEADERS = 128 };
static struct compiler_header headers[HEADERS];
static size_t header_count;
static char header_names[2048]; // of all of them
static pthread_once_t headers_once = PTHREAD_ONCE_INIT;

static void make_headers(void)
{
    char *to = header_names;
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++) {
        const char *text = embed_find(standard[i].text)->text;
        for (const char *p = standard[i].names; *p && header_count < HEADERS; p += strspn(p, " ")) {
            const size_t n = strcspn(p, " ");
            headers[header_count++] = (struct compiler_header){memcpy(to, p, n), text};
            to += n + 1; // the byte after a name is zero
            p += n;
        }
    }
}

const struct compiler_header *compiler_headers(size_t *count)
{
    pthread_once(&headers_once, make_headers);
    *count = header_count;
    return headers;
}

static size_t line_length(const char *p) { return strcspn(p, "\n"); }

// Line `n` of `file` among the pieces that `#line` marks name; NULL: the text has no such line.
static const char *user_line(const char *source, const char *file, size_t file_length, int n)
{
    int line = 1;
    bool here = !strstr(source, "\n#line 1 \""); // in tests: the source itself
    for (const char *p = source; *p; p += line_length(p), p += *p == '\n') {
        const char *quote = strncmp(p, "#line ", 6) == 0 ? strchr(p, '"') : NULL;
        if (quote) {
            line = atoi(p + 6);
            here = strncmp(quote + 1, file, file_length) == 0 && quote[1 + file_length] == '"';
        } else if (here && line == n) {
            return p;
        } else {
            line++;
        }
    }
    return NULL;
}

// Parses "<file>(3): error: what" or "<file>:3:5: error: what" out of one line of a log.
static bool parse_error(const char *p, size_t n, const char **what, size_t *file_length, int *line, int *column)
{
    char text[2048];
    snprintf(text, sizeof text, "%.*s", (int)(n < sizeof text ? n : sizeof text - 1), p);
    char *mark = strstr(text, ": error: "), *skip = strstr(text, ": fatal error: ");
    size_t mark_length = 9;
    if (skip && (!mark || skip < mark)) mark = skip, mark_length = 15;
    if ((skip = strstr(text, ": catastrophic error: ")) && !mark) mark = skip, mark_length = 22;
    if (!mark) return false;
    *what = p + (mark - text) + mark_length;
    *mark = '\0';
    *line = *column = 0;
    char *bracket = strrchr(text, '(');
    if (bracket && text[strlen(text) - 1] == ')') {
        *line = atoi(bracket + 1);
        *file_length = (size_t)(bracket - text);
        return true;
    }
    char *second = strrchr(text, ':');
    if (!second) return *file_length = strlen(text), true;
    *second = '\0';
    char *first = strrchr(text, ':');
    if (first) *column = atoi(second + 1), *line = atoi(first + 1), *file_length = (size_t)(first - text);
    else *line = atoi(second + 1), *file_length = (size_t)(second - text);
    return true;
}

// NVRTC gives no column but draws a caret under the line, perhaps after lines that say more: the column in the user's
// own text. nvcc may show a part of the user's line, or a mark of it in other words: what the caret is at counts.
static int caret_column(const char *p, const char *own)
{
    const char *shown = p;
    for (int more = 0; more < 12; more++) {
        const char *next = shown + line_length(shown);
        if (!*next) return 0;
        next++;
        const size_t at = strspn(next, " \t"), indent = strspn(shown, " \t");
        if (next[at] == '^') {
            const size_t n = line_length(shown), whole = n > at && shown[n - 1] == ';' ? n - 1 : n;
            const char *part = own, *found = NULL;
            for (; at < whole && (part = memmem(part, line_length(part), shown + at, whole - at)); part++) found = part;
            return at < indent ? 0 : (int)(found ? (size_t)(found - own) : at - indent + strspn(own, " \t")) + 1;
        }
        if (next[at] == '\n' || memmem(next, line_length(next), "error", 5)) return 0;
        shown = next;
    }
    return 0;
}

// The number before `unit` in the line; 0 when there is none.
static int before(const char *line, size_t n, const char *unit)
{
    const char *at = memmem(line, n, unit, strlen(unit));
    if (!at) return 0;
    while (at > line && at[-1] >= '0' && at[-1] <= '9') at--;
    return atoi(at);
}

// ptxas refuses what no launch could have; then NVRTC's log has only the facts.
static bool too_much_shared(const char *log, const char *path, struct diags *d)
{
    enum { MOST = 48 << 10 };
    for (const char *p = log; *p; p += line_length(p), p += *p == '\n') {
        const int shared = before(p, line_length(p), " bytes smem");
        if (shared <= MOST) continue;
        diag_user(d, (struct where){.file = path}, "more can be had as dynamic shared memory: `extern __shared__`",
            "%d bytes of shared memory are declared; a block can have %d", shared, MOST);
        return true;
    }
    return false;
}

// "ptxas application ptx input, line 45; error   : Duplicate definition of label 'L'", behind warnings of headers.
static bool assembler_complaint(const char *log, const char *path, struct diags *d)
{
    for (const char *p = log; *p; p += line_length(p), p += *p == '\n') {
        const size_t n = line_length(p);
        // It is cut off where it is long; advice to take another architecture comes first.
        const char *error = strncmp(p, "ptxas ", 6) != 0    ? NULL
            : memmem(p, n, "should be used on .target", 25) ? memmem(p, n, "warning", 7)
                                                            : memmem(p, n, "error", 5);
        const char *colon = error ? memchr(error, ':', n - (size_t)(error - p)) : NULL;
        if (!colon) continue;
        const char *what = colon + 1 + strspn(colon + 1, " ");
        diag_user(d, (struct where){.file = path}, "look at the inline PTX (asm): the compiler wrote the rest",
            "its PTX is refused: %.*s", (int)(p + n - what), what);
        return true;
    }
    return false;
}

// What is decided by it: a name that the compiler does not know (`identifier "x"`, `identifier 'x'`), or a file that is
// not there.
static void give_code(struct diags *d)
{
    const char *what = d->items[d->count - 1].what, *name = strstr(what, "identifier ");
    const char quote = name ? name[11] : '\0', *end = quote == '"' || quote == '\'' ? strchr(name + 12, quote) : NULL;
    if (strstr(what, "cannot open source file") || strstr(what, "file not found")) {
        diag_code(d, DIAG_NO_INCLUDE, NULL);
    } else if (end) {
        char word[256];
        snprintf(word, sizeof word, "%.*s", (int)(end - name - 12), name + 12);
        diag_code(d, DIAG_UNKNOWN_NAME, word);
    }
}

bool compiler_error_next(const char **log, const char *source, struct compiler_error *e)
{
    for (const char *p = *log; *p; p += line_length(p), p += *p == '\n') {
        *e = (struct compiler_error){.file = p};
        const size_t n = line_length(p);
        if (!parse_error(p, n, &e->what, &e->file_length, &e->line, &e->column)) continue;
        e->what_length = n - (size_t)(e->what - p);
        e->at = e->line > 0 ? user_line(source, p, e->file_length, e->line) : NULL;
        if (e->at && !e->column) e->column = caret_column(p, e->at);
        *log = p + n;
        return true;
    }
    return false;
}

static const char *advice(const char *what, size_t n)
{
    if (memmem(what, n, "not supported for this GPU arch", 31))
        return "a newer device may have it: `-d sim:h200` compiles for an H200";
    if (memmem(what, n, "which instance of overloaded function", 37)) // and not a call that is ambiguous
        return "its type says which: `entry: (void (*)(const float *, float *, int))my_kernel`";
    return memmem(what, n, "cannot open source file", 23) || memmem(what, n, "No such file", 12)
        ? "--allow-include FOLDER lets kernels include files from there"
        : NULL;
}

static void complain(const struct compiler_error *e, const char *path, struct diags *d)
{
    const bool own = e->file_length == strlen(path) && strncmp(e->file, path, e->file_length) == 0;
    const char *hint = advice(e->what, e->what_length);
    struct where at = {.file = path, .width = 1};
    char *text = e->at ? strndup(e->at, line_length(e->at)) : NULL, included[PATH_MAX];
    if (text && !own) { // a header of the user's: named from the kernel's folder
        const char *slash = *e->file == '/' ? NULL : strrchr(path, '/');
        snprintf(included, sizeof included, "%.*s%.*s", slash ? (int)(slash + 1 - path) : 0, path, (int)e->file_length,
            e->file);
        at.file = included;
    }
    if (text) {
        at.line = e->line;
        at.column = e->column;
        at.source = text;
        if (!at.column) { // the whole line, then
            at.column = (int)strspn(text, " \t") + 1;
            at.width = (int)strlen(text) - at.column + 1;
        }
    }
    if (own || text) diag_user(d, at, hint, "%.*s", (int)e->what_length, e->what);
    else
        diag_user(d, at, hint, "%.*s (in %.*s, line %d)", (int)e->what_length, e->what, (int)e->file_length, e->file,
            e->line);
    give_code(d);
    free(text);
}

static bool launches_kernels(const char *log, const char *path, struct diags *d)
{
    const char *of = strstr(log, "Unresolved extern function '");
    if (!of) return false;
    of = strchr(of, '\'') + 1;
    return diag_user(d, (struct where){.file = path}, "the host launches kernels here",
               "the kernel launches kernels, or asks the runtime: `%.*s`", (int)strcspn(of, "'\n"), of),
           true;
}

void compiler_complaint(const char *log, const char *source, const char *path, struct diags *d)
{
    struct compiler_error e;
    const char *p = log;
    if (compiler_error_next(&p, source, &e)) complain(&e, path, d);
    else if (!too_much_shared(log, path, d) && !launches_kernels(log, path, d) && !assembler_complaint(log, path, d))
        diag_user(d, (struct where){.file = path}, NULL, "the compiler failed: %.300s", log);
}

static struct code_entry *entry_add(struct code *code, const char *name, size_t n)
{
    code->entries = mem_resize(code->entries, (code->entry_count + 1) * sizeof *code->entries);
    struct code_entry *e = &code->entries[code->entry_count++];
    *e = (struct code_entry){.regs = -1, .local_bytes = -1, .shared_bytes = -1, .spill_bytes = -1};
    snprintf(e->name, sizeof e->name, "%.*s", (int)n, name);
    return e;
}

// The name after `mark`, in quotes or up to the end, if the line has it.
static bool name_behind(const char *line, size_t n, const char *mark, const char *end, char name[CODE_NAME])
{
    const char *at = memmem(line, n, mark, strlen(mark));
    if (at) snprintf(name, CODE_NAME, "%.*s", (int)strcspn(at + strlen(mark), end), at + strlen(mark));
    return at != NULL;
}

// ptxas -v: "Compiling entry function 'k' for 'sm_90'", "Function properties for k" (or for what it calls), "8 bytes
// stack frame, 4 bytes spill stores, 4 bytes spill loads", "Used 26 registers, used 1 barriers, 8 bytes cumulative
// stack size, 256 bytes smem".
static void read_facts(struct code *code, const char *log)
{
    struct code_entry *e = NULL;
    char name[CODE_NAME], owner[CODE_NAME] = "";
    for (const char *p = log; *p; p += line_length(p), p += *p == '\n') {
        const size_t n = line_length(p);
        if (name_behind(p, n, "Compiling entry function '", "'\n", name))
            e = (struct code_entry *)code_entry_find(code, name);
        name_behind(p, n, "Function properties for ", "\r\n", owner);
        if (!e) continue;
        if (memmem(p, n, "bytes stack frame", 17)) {
            const int spilled = before(p, n, " bytes spill stores") + before(p, n, " bytes spill loads");
            if (strcmp(owner, e->name) == 0) e->local_bytes = before(p, n, " bytes stack frame");
            e->spill_bytes = (e->spill_bytes > 0 ? e->spill_bytes : 0) + spilled; // functions that it calls spill too
        }
        if (memmem(p, n, "Used ", 5) && memmem(p, n, " registers", 10)) {
            const int stack = before(p, n, " bytes cumulative stack size");
            e->regs = before(p, n, " registers");
            e->shared_bytes = before(p, n, " bytes smem");
            if (stack > e->local_bytes) e->local_bytes = stack;
        }
    }
}

#define ENTRY_VARIABLE "gpuexp_entry_"

// `.visible .global .align 8 .u64 gpuexp_entry_0 = _Z3sumIfLi128EEvPf;` says what the first that was asked for is
// called. The line goes: nothing reads it.
static void take_entry(struct code *code, const char *source, char *line)
{
    const char *at = memmem(line, line_length(line), ENTRY_VARIABLE, strlen(ENTRY_VARIABLE)), *name;
    if (!at || strncmp(line, ".", 1) != 0 || !(name = memchr(at, '=', line_length(at)))) return;
    char asked[CODE_ASKED] = "", called[CODE_NAME];
    name += 1 + strspn(name + 1, " ");
    snprintf(called, sizeof called, "%.*s", (int)strcspn(name, " ;\n"), name);
    for (long n = strtol(at + strlen(ENTRY_VARIABLE), NULL, 10); n >= 0; n--)
        if (!compiler_entry(&source, asked)) return;
    struct code_entry *e = (struct code_entry *)code_entry_find(code, called);
    if (e && !*e->asked) memcpy(e->asked, asked, sizeof asked);
    memset(line, ' ', line_length(line));
}

void compiler_entries(struct code *code, const char *source, const char *ptxas_log)
{
    for (const char *p = code->ptx; (p = strstr(p, ".entry")); p++) {
        const char *name = p + 6 + strspn(p + 6, " \t");
        const size_t n = strcspn(name, " \t\r\n({;");
        char text[CODE_NAME];
        snprintf(text, sizeof text, "%.*s", (int)n, name);
        if (name > p + 6 && !code_entry_find(code, text)) entry_add(code, name, n);
    }
    for (char *p = code->ptx; *p; p += line_length(p), p += *p == '\n') take_entry(code, source, p);
    read_facts(code, ptxas_log);
}

static bool option_at(const char *source, size_t n, char option[COMPILER_OPTION])
{
    const size_t length = strlen(COMPILER_OPTIONS);
    if (strncmp(source, COMPILER_OPTIONS, length) != 0) return false;
    const char *p = source + length, *end = p + line_length(p);
    for (p += strspn(p, " "); n && p < end; n--) p += strcspn(p, " \n"), p += strspn(p, " ");
    if (p >= end) return false;
    snprintf(option, COMPILER_OPTION, "%.*s", (int)strcspn(p, " \n"), p);
    return true;
}

const char *compiler_wanted(const char *source, char text[COMPILER_OPTION])
{
    const size_t n = strlen(COMPILER_WANTED);
    const char *by = getenv("GPUEXP_COMPILER");
    if (option_at(source, 0, text) && strncmp(text, COMPILER_WANTED, n) == 0) return text + n;
    return by && *by ? by : NULL;
}

bool compiler_option(const char *source, size_t n, char option[COMPILER_OPTION])
{
    const bool wanted = option_at(source, 0, option) && strncmp(option, COMPILER_WANTED, strlen(COMPILER_WANTED)) == 0;
    return option_at(source, n + wanted, option);
}

bool compiler_entry(const char **p, char entry[CODE_ASKED])
{
    const char *at = strstr(*p, COMPILER_ENTRY);
    if (!at) return false;
    at += strlen(COMPILER_ENTRY);
    snprintf(entry, CODE_ASKED, "%.*s", (int)line_length(at), at);
    *p = at + line_length(at);
    return true;
}

char *compiler_with_entries(const char *source)
{
    struct str s = {0};
    char entry[CODE_ASKED];
    const char *kept = source;
    for (int n = 0; compiler_entry(&source, entry); n++, kept = source) {
        const char *line = source;
        while (line[-1] != '\n') line--;
        str_add_bytes(&s, kept, (size_t)(line - kept));
        str_addf(&s, "__device__ const void *" ENTRY_VARIABLE "%d = (const void *)(%s);", n, entry);
    }
    str_add(&s, kept);
    return str_take(&s);
}
