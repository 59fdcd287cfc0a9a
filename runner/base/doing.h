// What a process is doing, in a few words that its parent can still read when it hangs: a page that both share.
// SPDX-License-Identifier: MIT
#pragma once

enum doing_what { DOING_OTHER, DOING_SAMPLES }; // the parent decides by it
enum { DOING_ROOM = 256 };
char *doing_page(void);       // made before the fork, "" at first; NULL: no memory for it
void doing_page_free(char *); // NULL is fine
void doing_write_to(char *);  // in the child: `doing` writes there from now on
// "running launch 3 of 10, `add`". Does nothing in a process that nobody watches.
void doing(enum doing_what, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void doing_nothing(char *page); // NULL is fine, here and below
enum doing_what doing_of(const char *page);
const char *doing_text(const char *page); // "": nothing
