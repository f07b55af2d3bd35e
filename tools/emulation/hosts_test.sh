#!/bin/bash
# Runs sbp-hosts as a user would: hosts share no memory, links are slow, and nothing is left.
# Without root, tests that need it are skipped.
#
# usage: hosts_test.sh SBP_HOSTS
set -u
hosts=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

fail() { echo "FAILED: $*"; failures=$((failures + 1)); }
finish() {
  ((failures == 0)) && echo "all passed"
  exit $((failures > 0))
}

# ---- Mistakes ----
expect_error() { # TEXT ARGUMENTS...
  local text=$1
  shift
  "$hosts" "$@" >"$work/out" 2>"$work/err" && fail "$*: no error"
  grep -qF -- "$text" "$work/err" || fail "$*: no '$text' in: $(cat "$work/err")"
  [[ $(wc -l <"$work/err") -eq 1 ]] || fail "$*: more than a line: $(cat "$work/err")"
}
expect_error "COMMAND" --hosts 2
expect_error "integer from 1 to 250" --hosts 0 true
expect_error "above 0" --bandwidth 0 true
"$hosts" --help | grep -qF -- '--latency' || fail "help"

"$hosts" --hosts 1 true 2>"$work/err"
if [[ $? -eq 77 ]]; then
  echo "skipped: $(cat "$work/err")"
  finish
fi

# ---- A command knows its host, and hosts do not share memory ----
"$hosts" --hosts 3 bash -c 'echo {host} {address} $(readlink /proc/self/ns/ipc)' |
  sort >"$work/out"
[[ $(cut -d ' ' -f 1 "$work/out" | tr '\n' ' ') == "0 1 2 " ]] || fail "hosts: $(cat "$work/out")"
[[ $(cut -d ' ' -f 2 "$work/out" | sort -u) == "10.77.0.1" ]] || fail "address: $(cat "$work/out")"
apart=$({ cut -d ' ' -f 3 "$work/out"; readlink /proc/self/ns/ipc; } | sort -u | wc -l)
[[ $apart -eq 4 ]] || fail "namespaces: $(cat "$work/out")"

# ---- "--" ends the options ----
"$hosts" --hosts 1 -- true || fail "a command after --"

# ---- Links are as slow as asked, or slower; every byte arrives ----
cat >"$work/talk.py" <<'END'
import socket, sys, time
host, address, size = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
def take(connection, left):
    while left:
        got = connection.recv(left)
        assert got, f"{left} bytes are missing"
        left -= len(got)
if host == 0:
    listener = socket.create_server((address, 5000))
    connection, _ = listener.accept()
    take(connection, size)
    connection.sendall(b"!")
else:
    for _ in range(200):
        try:
            connection = socket.create_connection((address, 5000))
            break
        except ConnectionRefusedError:
            time.sleep(0.02)
    begin = time.monotonic()
    connection.sendall(bytes(size))
    take(connection, 1)
    print(time.monotonic() - begin)
END
# takes SECONDS SIZE LINK...: checks that sending SIZE takes at least SECONDS.
takes() {
  local least=$1 size=$2
  shift 2
  local taken
  taken=$("$hosts" --hosts 2 "$@" python3 "$work/talk.py" {host} {address} "$size") ||
    fail "talk over $*"
  python3 -c "import sys; sys.exit(not float('$taken') >= $least)" ||
    fail "$size bytes over $*: $taken s, expected $least at least"
}
takes 0.1 1 --latency 0.05
takes 0.2 1000000 --bandwidth 5e6
takes 0 10000000

# ---- The first failure ends the others, and is the exit code ----
"$hosts" --hosts 3 bash -c '[[ {host} == 1 ]] && exit 5; sleep 60' 2>"$work/err"
code=$?
[[ $code -eq 5 ]] || fail "exit code $code instead of 5"
"$hosts" --hosts 2 /no/such/program 2>"$work/err"
code=$?
[[ $code -eq 127 ]] || fail "exit code $code instead of 127"

# ---- A command that ignores the signal is killed ----
"$hosts" --hosts 2 bash -c 'trap "" TERM; [[ {host} == 1 ]] && exit 6; sleep 60; sleep 60' &
wait $!
code=$?
[[ $code -eq 6 ]] || fail "exit code $code instead of 6"

# ---- No command is left, however sbp-hosts ends ----
for signal in INT TERM KILL; do
  "$hosts" --hosts 2 bash -c "echo \$\$ >$work/{host}.pid; exec sleep 60" &
  job=$!
  for _ in $(seq 100); do
    [[ -s $work/0.pid && -s $work/1.pid ]] && break
    sleep 0.05
  done
  kill -$signal $job
  wait $job 2>/dev/null
  for host in 0 1; do
    pid=$(cat "$work/$host.pid")
    for _ in $(seq 100); do
      kill -0 "$pid" 2>/dev/null || break
      sleep 0.05
    done
    kill -0 "$pid" 2>/dev/null && fail "$signal: host $host's command is left"
  done
  rm "$work"/*.pid
done

finish
