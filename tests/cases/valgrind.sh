# Unit tests under valgrind, which sees what AddressSanitizer does not: memory that decides something before it was
# written. Only tests of one process, whose time and memory nothing limits: readers, plans, reports, the simulator.
# full: an interpreted processor
# SPDX-License-Identifier: MIT
command -v valgrind > /dev/null || lacks valgrind
build=$(dirname "$GPUEXP")
here=$PWD
clean() {
    valgrind --quiet --error-exitcode=66 --leak-check=full --errors-for-leak-kinds=definite "$@" > "$here/log" 2>&1 ||
        { tail -60 "$here/log"; return 1; }
}
cd "$build" || exit 1 # as ctest starts them
for name in asks base block columns counts device_fill device_table expr fingerprint fits include job json kernel \
    lookup lua_script lua_shipped merge occupancy options outcomes plan ptx_params range report report_chart \
    report_runfile report_ticks reported settings sim_fault sim_flow sim_joins sim_memory sim_print sim_shuffle \
    sim_texture sim_warp skip slurm stats submit todo units value verdict wire words; do
    need clean tests/unit_$name
done
