#!/bin/sh
# Restarts the site on a port when it has not answered three times in a row, or when its delivery worker
# has stopped. A database that is out (503) is left alone: a restart does not mend it, and the site comes
# back by itself. Root runs this, so that it is installed outside what the site's user can write.
#   watch-health.sh PORT
set -eu

unit="driving-practice@$1.service"
systemctl is-active --quiet "$unit" || exit 0

for try in 1 2 3; do
  if health=$(curl --silent --max-time 10 --write-out ' %{http_code}' "http://127.0.0.1:$1/api/health"); then
    case "$health" in
      # 503 although the database works: nothing is delivered.
      *'"status":"degraded"'*' 503')
        reason="its delivery worker has stopped" ;;
      *) exit 0 ;;
    esac
  else
    reason="it does not answer"
  fi
  [ "$try" = 3 ] || sleep 10
done

echo "$unit is restarted: $reason" >&2
systemctl restart "$unit"
