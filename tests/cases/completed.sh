# A shell in a terminal: somebody types the begin of a name, the tab key and Enter. A kernel's file name that is a
# command for the shell is put into the line quoted: it is described, and nothing of it is run.
# SPDX-License-Identifier: MIT
# full: it needs zsh and fish
for tool in script zsh fish; do command -v $tool > /dev/null || lacks $tool; done
mkdir bin kernels
ln -s "$GPUEXP" bin/gpuexp
export PATH=$PWD/bin:$PATH HOME=$PWD
gpuexp print completion zsh > _gpuexp
need zsh -f -n _gpuexp
need zsh -f -c 'autoload -Uz compinit; compinit -D; source ./_gpuexp; [[ $_comps[gpuexp] == _gpuexp ]]'
gpuexp print completion fish > gpuexp.fish
need fish --no-config --no-execute gpuexp.fish
fish --no-config -c 'source gpuexp.fish; complete -C "gpuexp plan strid"' > said || exit 1
need grep -q '^stride' said
fish --no-config -c 'source gpuexp.fish; complete -C "gpuexp stride -s cache=c"' > said || exit 1
need grep -q '^cache=cold' said
names=('zza$(touch ran)' 'zzb;touch ran;' 'zzc`touch ran`' "zzd' touch ran '" 'zze & touch ran'
    'zzf\$(touch ran)' 'zzg|touch ran' '~zzh*{a,b}!' 'zzi:$(touch ran)'
    'zzj"$(touch ran)"')
begun=(zza zzb zzc zzd zze zzf zzg '\~zzh' zzi zzj)
for i in "${!names[@]}"; do
    sed "s/^about:.*/about: kernel number $i was described/" "$TOP/kernels/vecadd.cu" > "kernels/${names[i]}.cu"
done

seen() { # TEXT TENTHS: waits until the terminal shows it
    local i
    for ((i = 0; i < $2; i++)); do
        grep -qF -- "$1" screen && return 0
        sleep 0.1
    done
    return 1
}
# A shell that is about to read its next line loses what is typed then: it is typed again.
typed() { # KEYS TEXT: until the terminal shows the text
    local times
    for ((times = 0; times < 15; times++)); do
        printf '\025%b' "$1" >&7
        seen "$2" 20 && return 0
    done
    echo "typed $1, and the terminal never showed $2"
    tr '\r' '\n' < screen | cat -v | tail -n 20
    return 1
}
tried() { # SHELL SETUP: in a terminal, each name
    local setup=$2 i
    rm -f keys screen ran
    mkfifo keys
    TERM=dumb script -qefc "stty rows 50 cols 200; exec $1" /dev/null < keys > screen &
    local terminal=$!
    exec 7> keys
    typed "$setup; echo rea\"\"dy\\r" ready || return 1
    for i in "${!names[@]}"; do
        typed "gpuexp describe ${begun[i]}\\t\\r" "kernel number $i was described"
        local told=$?
        [ ! -e ran ] || { echo "$1 ran what the name ${names[i]} says"; return 1; }
        [ $told = 0 ] || return 1
    done
    printf '\025exit\r' >&7
    exec 7>&-
    wait $terminal
}
need tried 'bash --norc --noprofile -i' 'source <(gpuexp print completion bash)'
need tried 'zsh -f -i' 'autoload -Uz compinit; compinit -D; source <(gpuexp print completion zsh)'
need tried 'fish --no-config -i' 'gpuexp print completion fish | source'
