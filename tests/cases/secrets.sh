# No file is quoted that is no experiment, kernel or script by its own name, however an experiment of others names it:
# as a script, a kernel, a header, a buffer's content, a device; through a link, from the command line. Nor is any
# file written.
# SPDX-License-Identifier: MIT
printf 'SECRET=hidden\n-- return {}\nint SECRET;\n' > secret
cp secret secret.txt
mkdir own
for name in s.lua k.cu h.h e.yaml d.csv d.npy d.bin; do ln -s ../secret own/$name; done
cat > own/real.cu << 'END'
/*
params: {n: 4}
buffers: {in: {type: float, count: n, access: read}, out: {type: float, count: n, access: write}}
threads: n
*/
extern "C" __global__ void real(const float *in, float *out, int n) { out[threadIdx.x] = in[threadIdx.x]; }
END
told=0
silent() { # what is given, then the command: it fails with a sentence and quotes nothing
    local what=$1 status
    shift
    "$@" > log 2>&1
    status=$?
    need [ $status != 0 ]
    grep -hs 'hidden\|SECRET' log reports/*.csv reports/*.yaml && need [ "$what" = "not quoted" ]
    need [ -s log ]
    told=$((told + 1))
    rm -rf reports
}
for script in ./secret "$PWD/secret" ./secret.txt own/s.lua /proc/self/environ; do
    printf 'kernel: stride\nwith: {n: 32, device: sim}\nscript: %s\n' "$script" > x.yaml
    for command in check plan run; do
        words=(gpuexp $command x.yaml)
        [ $command != run ] || words=(gpuexp x.yaml)
        SECRET=hidden silent "$script" "${words[@]}"
    done
    printf 'kernel: stride\nwith: {n: 32, device: sim}\n' > x.yaml
    silent "$script" gpuexp x.yaml -s "script=$script"
done
for kernel in ./secret "$PWD/secret.txt" own/k.cu; do
    printf 'kernel: %s\nwith: {device: sim}\n' "$kernel" > x.yaml
    silent "$kernel" gpuexp check x.yaml
    silent "$kernel" gpuexp x.yaml
    silent "$kernel" gpuexp describe "$kernel"
done
cp secret.txt own/notes
printf 'kernel: ./own/bad.cu\nwith: {device: sim}\n' > x.yaml
for header in h.h notes ./notes; do
    sed "s|^extern|#include \"$header\"\n&|; s/void real/void bad/" own/real.cu > own/bad.cu
    silent "$header" gpuexp x.yaml
done
for data in d.csv d.npy d.bin; do
    sed "s|access: read}|access: read, fill: {file: $data}}|; s/void real/void bad/" own/real.cu > own/bad.cu
    silent "$data" gpuexp x.yaml --allow-include "$PWD"
done
printf '\x93NUMPY\x01\x00\x36\x00{"descr": SECRET<hidden, (4,), \x27descr\x27: \x27<SECRET\x27%20s' '' > own/real.npy
sed "s|access: read}|access: read, fill: {file: real.npy}}|; s/void real/void bad/" own/real.cu > own/bad.cu
silent real.npy gpuexp x.yaml
for file in secret secret.txt own/e.yaml; do
    for command in check plan report compare merge status; do
        files=("$file")
        [ $command != compare ] || files=("$file" "$file")
        silent "$file" gpuexp $command "${files[@]}"
    done
    silent "$file" gpuexp "$file"
done
# A device that a file describes is for tests; an experiment may name it all the same.
printf 'trace owned\nSECRET hidden\nprint\n' > device
printf 'kernel: stride\nwith: {n: 32, device: "script:./device"}\n' > x.yaml
silent device gpuexp x.yaml
printf 'kernel: stride\nwith: {n: 32, device: "script:./secret"}\n' > x.yaml
silent device gpuexp x.yaml
need [ ! -e owned ]
need [ $told -gt 50 ]
