// JSON is written as its form shows: texts are quoted whatever is in them, what is not known is null, and what one form
// opens another closes.
// SPDX-License-Identifier: MIT
#include "base/json.h"

#include <math.h>
#include <stdlib.h>

#include "unit/test.h"

static char *text;
static size_t size;
static const char *nothing;

static struct json begin(void) { return json_begin(open_memstream(&text, &size), true); }

static void ends_as(struct json *j, const char *wanted)
{
    FILE *out = j->out;
    json_end(j);
    fclose(out);
    CHECK_TEXT(text, wanted);
    free(text);
}

static void values_of_every_kind(void)
{
    struct json j = begin();
    json_add(&j, "{ name:%s none:%s", "a \"b\"\n", nothing);
    json_add(&j, "n:%zu u:%u big:%llu x:%g nan:%g inf:%g yes:%d no:%d }", (size_t)3, 4u, 18446744073709551615ull, 0.5,
        (double)NAN, (double)INFINITY, true, false);
    ends_as(&j,
        "{\"name\": \"a \\\"b\\\"\\n\", \"none\": null, \"n\": 3, \"u\": 4, \"big\": 18446744073709551615, \"x\": 0.5, "
        "\"nan\": null, \"inf\": null, \"yes\": true, \"no\": false}\n");
}

static void what_stands_for_itself(void)
{
    struct json j = begin();
    json_add(&j, "{ type:'array' empty:'' $ref:'#/a: {b}' items:{ anyOf:[ 1 true null 'x' ] } done:0 }");
    ends_as(&j,
        "{\"type\": \"array\", \"empty\": \"\", \"$ref\": \"#/a: {b}\", \"items\": {\"anyOf\": [1, true, null, "
        "\"x\"]}, \"done\": 0}\n");
}

// A key holds for the next element alone, also where another function adds that.
static void forms_go_on_where_another_stopped(void)
{
    struct json j = begin();
    json_add(&j, "{ list:[");
    for (int i = 0; i < 2; i++) json_add(&j, "{ i:%u }", (unsigned)i);
    json_add(&j, "[] ] more:{");
    json_text(&j, "k", "v");
    json_add(&j, "} }");
    ends_as(&j, "{\"list\": [{\"i\": 0}, {\"i\": 1}, []], \"more\": {\"k\": \"v\"}}\n");
    j = begin();
    json_add(&j, "[ {");
    ends_as(&j, "[{}]\n"); // what is open at the end is closed
}

int main(void)
{
    values_of_every_kind();
    what_stands_for_itself();
    forms_go_on_where_another_stopped();
    return test_end();
}
