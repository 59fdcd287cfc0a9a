# Completion of gpuexp for fish: `gpuexp print completion fish > ~/.config/fish/completions/gpuexp.fish`.
# SPDX-License-Identifier: MIT
function __gpuexp_offer
    set -l words (commandline -opc)
    # Without its quotes, as the words before it are. Where a quote is still open, nothing is offered.
    set -l typed (commandline -ct)
    set -l begun (string unescape -- "$typed"; or echo -- "$typed")
    $words[1] print completion fish -- $words[2..-1] "$begun" 2> /dev/null
end
complete -c gpuexp -a '(__gpuexp_offer)'
