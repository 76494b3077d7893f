#!/bin/sh
# Prints the frames of a path as they come: watch.sh [HOST [PORT [PATH]]]
# Needs nc (netcat-openbsd). PATH is a JSON Pointer without characters that JSON escapes.
# Comes back by itself after a lost connection, with a fresh snapshot.

host=${1:-127.0.0.1} port=${2:-7389} path=${3-}

follow() {
  {
    printf '{"op":"hello","protocol":1}\n{"op":"subscribe","path":"%s"}\n' "$path"
    # Holds the connection open, and finds out when it is gone: nc ends with it or with its reader,
    # and then the next ping breaks the pipe.
    while sleep 1; do printf '{"op":"ping"}\n' || exit; done
  } | nc "$host" "$port"
}

while :; do
  # A bye without retryMs is final. An error here can only repeat itself.
  follow | while IFS= read -r line; do
    case $line in
      *'"op":"snapshot"'* | *'"op":"part"'* | *'"op":"patch"'*) printf '%s\n' "$line" ;;
      *'"op":"bye"'*'"retryMs"'* | *'"retryMs"'*'"op":"bye"'*) printf '%s\n' "$line" >&2; exit 0 ;;
      *'"op":"bye"'* | *'"op":"error"'*) printf '%s\n' "$line" >&2; exit 3 ;;
    esac
  done
  [ $? -eq 3 ] && exit 1
  sleep "$(awk 'BEGIN { srand(); print 0.2 + rand() }')"
done
