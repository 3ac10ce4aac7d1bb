_greenwave() {
    # The words up to the cursor, as they are typed.
    local rest="${COMP_LINE:0:COMP_POINT}" place word bare
    local -a words=()
    for ((place = 0; place < COMP_CWORD; place++)); do
        word="${COMP_WORDS[place]}"
        bare="${rest#"${rest%%[![:blank:]]*}"}"
        if [[ -z "$word" || "${bare:0:${#word}}" != "$word" ]]; then
            continue
        fi
        if [[ ${#words[@]} -eq 0 || "$bare" != "$rest" ]]; then
            words+=("$word")
        else
            words[${#words[@]} - 1]+="$word"
        fi
        rest="${bare:${#word}}"
    done
    bare="${rest#"${rest%%[![:blank:]]*}"}"
    if [[ ${#words[@]} -eq 0 || "$bare" != "$rest" ]]; then
        words+=("$bare")
    else
        words[${#words[@]} - 1]+="$bare"
    fi
    local last=$((${#words[@]} - 1))
    local typed="${words[last]}" breaks="" break
    for break in : =; do
        [[ "$COMP_WORDBREAKS" == *"$break"* ]] && breaks+="$break"
    done
    local before=""
    if [[ -n "$breaks" && "$typed" == *["$breaks"]* ]]; then
        before="${typed%"${typed##*["$breaks"]}"}"
    fi
    local space=true
    compopt +o nospace 2> /dev/null && space=false
    local IFS=$'\013'
    COMPREPLY=( $( \
        _CLAP_IFS="$IFS" \
        _CLAP_COMPLETE_INDEX="$last" \
        _CLAP_COMPLETE_COMP_TYPE="$COMP_TYPE" \
        _CLAP_COMPLETE_SPACE="$space" \
        COMPLETE="bash" \
        "greenwave" -- "${words[@]}" \
    ) )
    if [[ $? != 0 ]]; then
        unset COMPREPLY
        return
    fi
    COMPREPLY=( "${COMPREPLY[@]#"$before"}" )
    if [[ $space == false && "${COMPREPLY-}" =~ [=/:]$ ]]; then
        compopt -o nospace
    fi
}
if [[ "${BASH_VERSINFO[0]}" -eq 4 && "${BASH_VERSINFO[1]}" -ge 4 || "${BASH_VERSINFO[0]}" -gt 4 ]]; then
    complete -o nospace -o bashdefault -o nosort -F _greenwave greenwave
else
    complete -o nospace -o bashdefault -F _greenwave greenwave
fi
