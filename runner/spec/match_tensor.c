// Whether what `arguments` say of a tensor map is for an argument that is one, and the other way round.
// SPDX-License-Identifier: MIT
#include "spec/match_inside.h"
#include "spec/tensor_words.h"

#include <string.h>

// The copy unit reads a tensor map where the launch put it; a copy of the thread's own is no place for one.
static bool stays(const struct word_matcher *m, const struct source_function *f, size_t i)
{
    const char *text = m->kernel->source, *end = text + f->places[i], *from = end;
    while (from > text && from[-1] != ',' && from[-1] != '(') from--;
    return source_has_word(arena_strndup(m->arena, from, (size_t)(end - from)), "__grid_constant__");
}

// The type, or a name that the source gives it.
static bool is_map(const struct word_matcher *m, const char *type)
{
    const char *name = strrchr(type, ' ') ? strrchr(type, ' ') + 1 : type;
    if (tensor_words_type(type)) return true;
    return *name &&
        (strstr(m->kernel->source, arena_printf(m->arena, "using %s = CUtensorMap;", name)) ||
            strstr(m->kernel->source, arena_printf(m->arena, "typedef CUtensorMap %s;", name)));
}

bool match_tensor(const struct word_matcher *m, const struct source_function *f, size_t i, const struct passed *passed)
{
    const struct argument *a = &f->is.arguments[i];
    const struct where at = match_where(m, f->places[i], a->name);
    const bool pointer = strstr(a->type, "CUtensorMap") && strchr(a->type, '*'), is = is_map(m, a->type);
    const bool described = passed && passed->tensor;
    const char *by_value = arena_printf(m->arena, "const __grid_constant__ CUtensorMap %s", a->name);
    if (!*a->type || (described && pointer)) return true; // only the compiler knows it; or it lies in memory
    if (described && !is)
        return node_complain_at(m->diags, passed->at, by_value, "`%s` is `%s` in `%s`, not a tensor map", a->name,
            a->type, f->is.name);
    if (!is) return true;
    if (!described)
        return node_complain_at(m->diags, passed ? passed->at : at,
            arena_printf(m->arena, "arguments: {%s: {tensor: BUFFER, box: [64, 8]}}", a->name),
            "`%s` is a tensor map: `arguments` must say of which buffer", a->name);
    return stays(m, f, i) ||
        node_complain_at(m->diags, at, by_value, "`%s` must be a __grid_constant__: no copy finds it elsewhere",
            a->name);
}
