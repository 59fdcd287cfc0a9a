# What the program says about itself, and about a command line that it does not understand.
# SPDX-License-Identifier: MIT
t gpuexp --help
t gpuexp plan --help
t gpuexp run --fresh --help
t gpuexp --version
t gpuexp
t gpuexp pln
t gpuexp list extra
t gpuexp check
t gpuexp check --fresh x.yaml
t gpuexp x.yaml --frsh --seed=x -Z
t gpuexp x.yaml -s nothing
t gpuexp describe strid
# Output that cannot be written is the system's failure.
gpuexp list > /dev/full
echo "[exit $?]"
