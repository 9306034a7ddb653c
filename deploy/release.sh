#!/bin/sh
# Builds what lies in /srv/driving-practice/source and puts it into service without a gap, as root:
#   deploy/release.sh
# The new release starts on the free one of two ports; once it is healthy, nginx sends new requests to it,
# and the old one finishes what it has begun. When anything fails on the way, the old one stays in service.
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

release="$home/releases/$(date -u +%Y%m%d-%H%M%S)"
in_service=no
# A release that did not make it must not fill the disk.
trap '[ "$in_service" = yes ] || rm -rf "$release"' EXIT
as_user() { runuser -u "$user" -- env HOME="$home" "$@"; }

old=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$upstream" 2>/dev/null || true)
new=3001
[ "$old" = 3001 ] && new=3002

echo "1/5 building $release"
as_user git clone --quiet "$home/source" "$release"
ln -s /etc/driving-practice.env "$release/.env"
cd "$release"
# Behind the visitors of the release that is in service.
as_user nice -n 10 node build/set-up.mjs
as_user nice -n 10 npm run --silent build
# What only the build needs is a third of the packages.
as_user nice -n 10 npm prune --silent --omit=dev

echo "2/5 keeping the assets of this build for pages that are open in browsers"
as_user mkdir -p "$home/assets/_next"
as_user cp -r .next/static "$home/assets/_next/"
find "$home/assets" -type f -mtime "+$kept_assets_days" -delete

echo "3/5 starting it on port $new"
systemctl stop "$unit@$new"
ln -sfn "$release" "$home/slots/$new"
systemctl start "$unit@$new"
tries=60
until curl --silent --fail --max-time 2 --output /dev/null "http://127.0.0.1:$new/api/health"; do
  tries=$((tries - 1))
  if [ "$tries" = 0 ]; then
    systemctl stop "$unit@$new"
    echo "The new release is not healthy: journalctl -u $unit@$new says why. Nothing has changed." >&2
    exit 1
  fi
  sleep 1
done

echo "4/5 sending new requests to it"
[ -f "$upstream" ] && cp -p "$upstream" "$upstream.before"
printf 'upstream driving_practice {\n  server 127.0.0.1:%s;\n  keepalive 16;\n}\n' "$new" >"$upstream"
if ! nginx -t -q; then
  [ -f "$upstream.before" ] && mv "$upstream.before" "$upstream"
  systemctl stop "$unit@$new"
  echo "nginx does not take the change. Nothing has changed." >&2
  exit 1
fi
systemctl reload nginx
in_service=yes
ln -sfn "$release" "$home/current"
systemctl enable --quiet "$unit@$new"

echo "5/5 letting the old one finish"
if [ -n "$old" ]; then
  # nginx takes a moment to replace its workers.
  sleep 5
  systemctl disable --quiet "$unit@$old"
  systemctl stop "$unit@$old"
fi
ls -d "$home"/releases/* | sort -r | tail -n "+$((kept_releases + 1))" | xargs -r rm -rf
echo "In service: $release on port $new"
