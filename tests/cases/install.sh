# Installed anywhere, the program finds its kernels and experiments again; GPUEXP_PATH adds folders of the user's own.
# SPDX-License-Identifier: MIT
need cmake --install "$(dirname "$GPUEXP")" --prefix "$PWD/first" > /dev/null
mv first moved # nothing may depend on the first place
for file in share/man/man1/gpuexp.1 share/man/man5/gpuexp-experiment.5 share/man/man5/gpuexp-kernel.5 \
    share/bash-completion/completions/gpuexp share/zsh/vendor-completions/_gpuexp \
    share/fish/vendor_completions.d/gpuexp.fish share/gpuexp/lua/tune.lua share/gpuexp/reports/h200/health.csv; do
    need [ -s "moved/$file" ]
done
need cmp moved/share/man/man1/gpuexp.1 <(moved/bin/gpuexp print manual)
mkdir empty
cd empty || exit 1
need ../moved/bin/gpuexp describe stride | grep -q "moved/share/gpuexp/kernels/stride.cu" ||
    { echo "its own kernels are not found"; exit 1; }
need ../moved/bin/gpuexp check stride > out
need grep -q 'ok' out

mkdir -p mine/kernels mine/experiments
sed 's/^about:.*/about: mine/' "$TOP/kernels/vecadd.cu" | sed 's/\bvecadd\b/own_kernel/g' > mine/kernels/own_kernel.cu
printf 'kernel: own_kernel\nwith: {n: 1Ki}\n' > mine/experiments/own_question.yaml
export GPUEXP_PATH=$PWD/nowhere:$PWD/mine
need ../moved/bin/gpuexp list > out
need grep -qE '^ +own_kernel +mine' out
need grep -qE '^ +own_question' out
need grep -qE '^ +stride ' out
need ../moved/bin/gpuexp own_question -d sim
need [ -s reports/own_question.csv ]
