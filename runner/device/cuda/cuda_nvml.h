// What NVML knows that the CUDA runtime does not: the driver's version, clocks and why they are held down, memory clock
// and bus width, and how the GPU is. Loaded when it is there (it comes with the driver); without it those facts are
// unknown, nothing else.
// SPDX-License-Identifier: MIT
#pragma once
#include <stdbool.h>

enum cuda_clock { CUDA_CLOCK_GRAPHICS, CUDA_CLOCK_SM, CUDA_CLOCK_MEMORY };

struct cuda_nvml {
    void *library; // NULL: not there
    void *device;
    char why[160]; // why not
    int (*max_clock)(void *, int, unsigned *);
    int (*clock)(void *, int, unsigned *);
    int (*bus_width)(void *, unsigned *);
    int (*reasons)(void *, unsigned long long *);
    int (*driver)(char *, unsigned);
    int (*shutdown)(void);
};

// `uuid` ("GPU-b90b8fc4-...") or `bus_id` ("0000:65:00.0") find the GPU: NVML counts them in another order than CUDA.
void cuda_nvml_begin(void); // once a process that opens a GPU, beside what takes longer; open waits for it
bool cuda_nvml_open(struct cuda_nvml *, const char *uuid, const char *bus_id);
void cuda_nvml_close(struct cuda_nvml *);
// How many GPUs this process may use; 0: NVML alone cannot tell (it is missing, GPUs are cut into slices, or `visible`,
// the environment's list, holds more than numbers).
int cuda_nvml_count(const char *visible);
// "0,3": how many different GPUs of `count` the list names; 0: it is another kind of list.
int cuda_nvml_listed(const char *visible, unsigned count);
// False, and nothing written, where NVML does not know.
bool cuda_nvml_max_clock(const struct cuda_nvml *, enum cuda_clock, double *mhz);
bool cuda_nvml_clock(const struct cuda_nvml *, enum cuda_clock, double *mhz);
bool cuda_nvml_bus_bits(const struct cuda_nvml *, double *bits);
bool cuda_nvml_driver(const struct cuda_nvml *, char *text, unsigned size);
// True when NVML says that heat or power holds the clock down now.
bool cuda_nvml_held_down(const struct cuda_nvml *);
// How the GPU is: NAN is what NVML does not tell. Counts of errors and of time held down grow; the others are as of
// now.
struct cuda_condition {
    double temperature_c, power_w, power_limit_w;
    double ecc_corrected, ecc_uncorrected;                           // since the driver was loaded
    double rows_corrected, rows_uncorrected, rows_due, rows_refused; // remapped; at the next reset; could not be
    double pcie_gen, pcie_gen_max, pcie_lanes, pcie_lanes_max;
    double processes; // that compute on it, this one among them
    double held_by_power_s, held_by_heat_s;
};
void cuda_nvml_condition(const struct cuda_nvml *, struct cuda_condition *);
