#!/bin/sh
# Replaces systemd, which does not run in the isolated machine: runs the unit's ExecStart with its user, folder and
# environment, without capabilities, on a root file system that is read-only except for the state folder.
set -eu
unit=/etc/systemd/system/driving-practice.service
pid=/run/driving-practice.pid
value() { sed -n "s/^$1=//p" "$unit"; }

stop() {
  [ -e "$pid" ] || return 0
  kill "$(cat "$pid")" || true
  while kill -0 "$(cat "$pid")" 2>/dev/null; do sleep 0.2; done
}

start() {
  [ ! -e "$pid" ] || ! kill -0 "$(cat "$pid")" 2>/dev/null || return 0
  user=$(value User)
  state=/var/lib/$(value StateDirectory)
  install -d -o "$user" -g "$(value Group)" -m "$(value StateDirectoryMode)" "$state"
  # Every step replaces itself with the next program, so that the site keeps the process id.
  setsid unshare --mount sh -euc '
    mount --make-rprivate /
    mount --bind "$1" "$1"
    mount -o remount,ro,bind /
    for folder in /tmp /home /root; do mount -t tmpfs tmpfs "$folder"; done
    cd "$2"; umask "$3"; user=$4; shift 4
    exec env -i PATH=/usr/bin:/bin "$@"' start "$state" "$(value WorkingDirectory)" "$(value UMask)" "$user" \
    $(value Environment) setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs \
    --bounding-set=-all --inh-caps=-all $(value ExecStart) </dev/null >>/var/log/driving-practice.log 2>&1 9>&- &
  echo $! >"$pid"
}

case "$1" in
  stop) stop ;;
  start) start ;;
  restart) stop; start ;;
esac
