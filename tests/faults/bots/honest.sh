#!/bin/sh
# The first legal action, with nothing but a POSIX shell: the lines are cut, not parsed.
while IFS= read -r line; do
    case $line in
    '{"type":"hello"'*) printf '%s\n' '{"type":"ready","name":"sh"}' ;;
    '{"type":"turn"'*)
        id=${line#*'"id":'}
        first=${line#*'"legal":[{'}
        printf '{"id":%s,%s}\n' "${id%%,*}" "${first%%\}*}"
        ;;
    esac
done
