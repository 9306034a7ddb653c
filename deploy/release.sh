#!/bin/sh
# Builds a commit of /srv/driving-practice/source and puts it into service without a gap, as root:
#   deploy/release.sh [COMMIT]      without one, what the source is at
# The new release starts on the free one of two ports. Once it is healthy, nginx sends new requests to it, and
# the old one finishes what it has begun. When anything fails on the way, or somebody interrupts it, the old one
# stays in service and nothing of the new one is left.
set -eu

home=/srv/driving-practice
user=driving-practice
upstream=/etc/nginx/driving-practice-upstream.conf
unit=driving-practice
kept_releases=3
kept_assets_days=30

# One at a time; what is started here does not inherit the lock.
if [ -z "${RELEASING:-}" ]; then
  lock=/run/driving-practice-release.lock
  code=0
  RELEASING=yes flock --nonblock --close --conflict-exit-code 75 "$lock" "$0" "$@" || code=$?
  [ "$code" != 75 ] || echo "Another release is under way." >&2
  exit "$code"
fi

commit=$(git -C "$home/source" rev-parse --verify --quiet "${1:-HEAD}^{commit}") || {
  echo "The source has no commit ${1:-HEAD}." >&2
  exit 2
}
release="$home/releases/$(date -u +%Y%m%d-%H%M%S)"
old=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$upstream" 2>/dev/null || true)
new=3001
[ "$old" = 3001 ] && new=3002
as_user() { runuser -u "$user" -- env HOME="$home" "$@"; }

started=no
switching=no
in_service=no
undo() {
  [ "$in_service" = no ] || return 0
  if [ "$switching" = yes ]; then
    if [ -f "$upstream.before" ]; then mv "$upstream.before" "$upstream"; else rm -f "$upstream"; fi
    # nginx may have read the other port already.
    nginx -t -q && systemctl reload nginx || echo "nginx could not be reloaded: look at nginx -t." >&2
  fi
  if [ "$started" = yes ]; then
    systemctl stop "$unit@$new"
    rm -f "$home/slots/$new"
  fi
  # A release that did not make it must not fill the disk.
  rm -rf "$release"
  echo "Nothing has changed." >&2
}
trap undo EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

echo "1/5 building $release"
as_user mkdir "$release"
# The source is root's, and git does not let another user read it; a release needs no history.
git -C "$home/source" archive "$commit" | as_user tar --extract --directory "$release"
ln -s /etc/driving-practice.env "$release/.env"
cd "$release"
# At low priority: the visitors of the release in service come first.
as_user nice -n 10 node build/set-up.mjs
as_user nice -n 10 npm run --silent build
# What only the build needs is a third of the packages.
as_user nice -n 10 npm prune --silent --omit=dev
# All of the release that its server may write, see the unit.
as_user mkdir -p .next/cache .next/server/route-cache

echo "2/5 keeping the assets of this build for pages that are open in browsers"
as_user mkdir -p "$home/assets/_next"
as_user cp -r .next/static "$home/assets/_next/"
find "$home/assets" -type f -mtime "+$kept_assets_days" -delete

echo "3/5 starting it on port $new"
started=yes
systemctl stop "$unit@$new"
ln -sfn "$release" "$home/slots/$new"
systemctl start "$unit@$new"
tries=60
until curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:$new/api/health"; do
  tries=$((tries - 1))
  if [ "$tries" = 0 ]; then
    echo "The new release is not healthy: journalctl -u $unit@$new says why." >&2
    exit 1
  fi
  sleep 1
done

echo "4/5 sending new requests to it"
rm -f "$upstream.before"
[ ! -f "$upstream" ] || cp -p "$upstream" "$upstream.before"
switching=yes
printf 'upstream driving_practice {\n  server 127.0.0.1:%s;\n  keepalive 16;\n}\n' "$new" >"$upstream"
nginx -t -q
systemctl reload nginx
in_service=yes
# From here on there is only forward: an interrupted end would leave two releases running.
trap '' INT TERM HUP
ln -sfn "$release" "$home/current"
systemctl enable --quiet "$unit@$new"

echo "5/5 letting the old one finish"
if [ -n "$old" ]; then
  # nginx takes a moment to replace its workers.
  sleep 5
  systemctl disable --quiet "$unit@$old"
  systemctl stop "$unit@$old"
fi
# The site's user can write to this folder: only names that this script makes are deleted.
ls "$home/releases" | grep -E '^[0-9]{8}-[0-9]{6}$' | sort -r | tail -n "+$((kept_releases + 1))" |
  while read -r name; do rm -rf "$home/releases/$name"; done
echo "In service: $release on port $new"
