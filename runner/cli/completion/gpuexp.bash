# Completion of gpuexp for bash: `source <(gpuexp print completion bash)`.
# SPDX-License-Identifier: MIT
_gpuexp() {
    local line=${COMP_LINE:0:COMP_POINT} words=() word begun head
    # Without -r: what the line quotes by backslashes is asked for without them. # shellcheck disable=SC2162
    read -a words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    begun=${words[${#words[@]} - 1]}
    # Bash takes =, : and @ for the ends of words: what stands before the last of them is there already.
    head=${begun%"${begun##*[=:@]}"}
    COMPREPLY=()
    while IFS= read -r word; do
        # Quoted: a file may be called `$(rm x)`, and the line is run as it stands.
        printf -v word %q "${word#"$head"}"
        COMPREPLY+=("$word")
        [[ $word == *= ]] && compopt -o nospace 2> /dev/null
    done < <("${words[0]/#\~/$HOME}" print completion bash -- "${words[@]:1}" 2> /dev/null)
}
complete -o default -F _gpuexp gpuexp
