// What the model knows of a device: one constant a row, with its unit. A profile (device/profiles) gives the values and
// where each of them comes from; `gpuexp calibrate` measures those of a GPU.
// SPDX-License-Identifier: MIT
#pragma once
#include "model/limits.h"

// X(field, unit, about). Cycles are those of an SM at `clock_mhz`.
#define MODEL_CONSTANTS(X) \
    X(sms, "", "streaming multiprocessors") \
    X(gpcs, "", "groups of SMs whose requests for one line become one") \
    X(clock_mhz, "MHz", "clock of the SMs under load") \
    X(launch_us, "us", "a launch and its end, without any block") \
    X(event_us, "us", "what two events add to it") \
    X(block_ns, "ns", "from one block's start to the next one's, all SMs together") \
    X(block_warp_ns, "ns", "beside it for each warp of the block beyond `block_warps`") \
    X(block_warps, "", "warps of a block that take no time beside it") \
    X(first_cycles, "cycles", "from a block's start to its first instruction") \
    X(next_cycles, "cycles", "the same where another block has just ended") \
    X(alone_blocks, "", "of a small grid, the first blocks, whose requests never become one") \
    X(group_blocks, "", "of the others, those in a row whose requests may become one") \
    X(barrier_cycles, "cycles", "a barrier, once all are there") \
    X(barrier_warp_cycles, "cycles", "of an SM, for each warp that comes to one") \
    X(shared_reserved, "B", "shared memory that a block takes beside its own") \
    X(l1_least_bytes, "B", "L1 of an SM, whatever shared memory takes") \
    X(l1_bytes, "B", "L1 of an SM, with its shared memory") \
    X(l1_cycles, "cycles", "until a load that hits in L1 is there") \
    X(l1_lines, "", "lines that L1 looks up in a cycle") \
    X(link_bytes, "B/cycle", "between an SM and L2, each way") \
    X(link_line_cycles, "cycles", "of it, for each line at least") \
    X(merge_most, "", "requests of a group of SMs for one line that become one") \
    X(l2_bytes, "B", "L2, all parts") \
    X(l2_parts, "", "halves of L2, each with copies of its own") \
    X(l2_near_cycles, "cycles", "until a load that hits in L2's near half is there") \
    X(l2_far_cycles, "cycles", "the same of the far half") \
    X(l2_slices, "", "parts of a half that work side by side") \
    X(l2_line_cycles, "cycles", "of a slice, for a line of which a sector is read") \
    X(l2_read_cycles, "cycles", "the same for each sector, where that is more") \
    X(l2_write_line_cycles, "cycles", "of a slice, for each line that is written to") \
    X(l2_write_cycles, "cycles", "beside it for each sector") \
    X(l2_part_cycles, "cycles", "of a slice, to complete a line of which sectors were written in part") \
    X(l2_part_row_cycles, "cycles", "beside it where another row of the memory is to be opened") \
    X(l2_part_lines, "", "lines that may wait with sectors written in part") \
    X(l2_dirty_bytes, "B", "written bytes that L2 keeps") \
    X(l2_edge_least, "", "share of L2, from which on it may lose what is read again") \
    X(l2_edge_most, "", "share of L2, from which on it loses all of it") \
    X(l2_again, "", "so many times a byte is read, before it counts as read again") \
    X(l2_warm, "", "share of L2 that a launch may reach and find there the next time") \
    X(l2_kept, "", "share of L2 that keeps what blocks read again") \
    X(dram_bytes_us, "B/us", "of the memory, at its peak") \
    X(dram_channels, "", "channels of the memory") \
    X(dram_cycles, "cycles", "of a channel, for 64 bytes of an open row") \
    X(dram_row_cycles, "cycles", "beside it where another row is to be opened") \
    X(dram_row_bytes, "B", "of a channel, that are open at once in a bank") \
    X(dram_latency_cycles, "cycles", "until a load from idle memory is there") \
    X(drain_cycles, "cycles", "of work that its channels may have left when a launch ends") \
    X(store_ahead_cycles, "cycles", "that a warp may be ahead of its stores") \
    X(ack_cycles, "cycles", "until an SM hears that L2 has a store, in an idle GPU") \
    X(atomic_units, "", "of a half of L2, that do atomics side by side") \
    X(atomic_send_cycles, "cycles", "of an SM, for each sector to which it sends atomics") \
    X(atomic_line_cycles, "cycles", "of a unit, for an atomic on the sector of the one before") \
    X(atomic_change_cycles, "cycles", "the same on another sector") \
    X(atomic_float_cycles, "cycles", "for a sum of floats at the address of the one before") \
    X(fence_cycles, "cycles", "that a warp waits at a fence of memory") \
    X(constant_cycles, "cycles", "for each further word of constant memory that a warp asks for") \
    X(constant_near_cycles, "cycles", "the same where all of it fits in the nearest cache") \
    X(heap_cycles, "cycles", "of the device, for a call of malloc or free") \
    X(swap_cycles, "cycles", "of an address, for a compare and swap that others disturb") \
    X(shared_swap_cycles, "cycles", "of a word of shared memory, for a sum that is made by compare and swap") \
    X(bus_bytes_us, "B/us", "of the host's bus, each way") \
    X(graph_us, "us", "a launch inside a graph") \
    X(issue_rate, "1/cycle", "instructions that an SM's quarter issues in a cycle") \
    X(bound_us, "us", "no launch takes less") \
    X(bound_clock, "", "the most clock there is, as a share of that under load") \
    X(bound_turns, "", "share of the instructions that another compiler may leave") \
    X(ptx_wider, "", "the interval where the PTX stands for machine code") \
    X(edge_wider, "", "the interval where L2 may or may not keep what is read again")

struct model_constants {
#define X(field, unit, about) double field;
    MODEL_CONSTANTS(X)
#undef X
    // Nine of ten measured times lie between these shares of the expected one, by what limits it.
    double least[LIMITS_MOST], most[LIMITS_MOST];
};
