#!/bin/sh
# Sets a value and prints the server's answer: set.sh HOST PORT PATH JSON
# Needs nc (netcat-openbsd). PATH is a JSON Pointer without characters that JSON escapes.
# Exit code: 0 acknowledged (durable), 1 refused, 2 usage, 3 no answer.
#
# A named client may retry: with one name and a fresh n, sending twice is doing once. The name is
# unique here, so n is 1, and the loop may send again after a lost answer.

[ $# -eq 4 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
name=set.sh-$$-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')

ask() {
  {
    printf '{"op":"hello","protocol":1,"client":"%s"}\n' "$name"
    printf '{"op":"dispatch","n":1,"action":{"type":"doc/set","payload":{"path":"%s","value":%s}}}\n' \
      "$3" "$4"
  } | nc -w 10 "$1" "$2" | while IFS= read -r line; do
    case $line in
      *'"op":"ack"'* | *'"op":"reject"'* | *'"op":"error"'* | *'"op":"bye"'*)
        printf '%s\n' "$line"
        break
        ;;
    esac
  done
}

for attempt in 1 2 3; do
  [ "$attempt" -gt 1 ] && sleep "$attempt"
  answer=$(ask "$@")
  case $answer in
    *'"op":"ack"'*) printf '%s\n' "$answer"; exit 0 ;;
    *'"final":false'* | *'"retryMs"'* | '') ;;
    *) printf '%s\n' "$answer" >&2; exit 1 ;;
  esac
done
printf '%s\n' "${answer:-no answer}" >&2
exit 3
