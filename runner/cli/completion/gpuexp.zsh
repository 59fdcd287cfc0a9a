#compdef gpuexp
# Completion of gpuexp for zsh: as _gpuexp in a folder of $fpath, or `source <(gpuexp print completion zsh)`.
# SPDX-License-Identifier: MIT
_gpuexp() {
    local -a plain keys
    local line word
    while IFS= read -r line; do
        word=${line%%$'\t'*}
        word=${${word//\\/\\\\}//:/\\:} # zsh quotes what it inserts; here only the mark before the sentence is meant
        [[ $line == *$'\t'* ]] && word+=":${line#*$'\t'}"
        if [[ ${line%%$'\t'*} == *= ]]; then keys+=("$word"); else plain+=("$word"); fi
    done < <(${words[1]} print completion zsh -- "${(@Q)words[2,CURRENT]}" 2> /dev/null)
    if (( ${#plain} + ${#keys} == 0 )); then _files; return; fi
    (( ${#plain} )) && _describe 'gpuexp' plain
    (( ${#keys} )) && _describe 'gpuexp' keys -S ''
    [[ ${words[CURRENT]} == */* ]] && _files
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
    _gpuexp "$@"
else
    (( $+functions[compdef] )) && compdef _gpuexp gpuexp
fi
