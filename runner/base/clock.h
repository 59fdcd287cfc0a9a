// The clocks that are read here: seconds that only go on, to measure and to wait by, and the date, to write down.
// SPDX-License-Identifier: MIT
#pragma once

double clock_seconds(void); // since some moment of this machine; nobody sets it
// Without the time in which this process was stopped (SIGSTOP, Ctrl-Z, SLURM's suspend), from clock_notice_stops on:
// what passed between two calls counts only where it was not continued in between. For one thread.
double clock_awake(void);
void clock_notice_stops(void);
double clock_boot(void);        // since the machine started, its sleep included
double clock_thread(void);      // seconds of work that this thread has done
void clock_date(char text[32]); // "2026-11-20T15:04:05Z"
