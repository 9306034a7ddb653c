#!/bin/sh
# Puts a backup in the place of the database, as root; what was there is kept aside.
#   deploy/restore.sh BACKUP
set -eu

[ -s "${1:-}" ] || { echo "Usage: deploy/restore.sh BACKUP" >&2; exit 2; }
user=driving-practice
data=/var/lib/driving-practice
upstream=/etc/nginx/driving-practice-upstream.conf
aside="$data/before-restore-$(date -u +%Y%m%d-%H%M%S)"

# First a copy on this disk: the backup itself may lie in the folder that is changed.
install -o "$user" -g "$user" -m 600 "$1" "$data/restored.db"
systemctl stop driving-practice@3001 driving-practice@3002
install -d -o "$user" -g "$user" -m 700 "$aside"
for file in "$data"/applications.db*; do
  [ ! -e "$file" ] || mv "$file" "$aside/"
done
mv "$data/restored.db" "$data/applications.db"

port=$(sed -n 's/.*127\.0\.0\.1:\([0-9]*\).*/\1/p' "$upstream" 2>/dev/null || true)
if [ -n "$port" ]; then
  systemctl start "driving-practice@$port"
  echo "Restored, and started on port $port. What was there before is in $aside; delete it when it is not needed."
else
  echo "Restored. Now run deploy/release.sh."
fi
