#!/bin/sh
# Starts Caddy with the two addresses of the Caddyfile. SITE_URL is normalised by the rules of lib/addresses.ts.
# OTHER_URL redirects to SITE_URL, and has www if SITE_URL has no www, and no www otherwise.
set -eu
export LC_ALL=C
refuse() {
  echo "SITE_URL cannot be served: write the scheme and the domain alone, like https://practice.example" >&2
  exit 1
}

set -- "$(printf %s "${SITE_URL:-http://localhost:3000}" | tr A-Z a-z |
  sed -nE 's;^(https?)://(\[[0-9a-f:.]+\]|[^][ /?#@:\\]+)(:([1-9][0-9]{0,4}))?/?$;\1 \2 \4;p')" "$@"
read -r scheme host port <<URL
$1
URL
shift
[ "${port:-1}" -le 65535 ] || refuse
case $scheme:$port in http:80 | https:443) port= ;; esac
port=${port:+:$port}
host=${host%.}
case $host in
  \[*) ;;
  # Characters outside ASCII are allowed, because Caddy itself encodes such a domain.
  *) case $(printf %s "$host" | tr -d '\200-\377') in *[!a-z0-9.-]*) refuse ;; esac ;;
esac
case .$host. in *..* | *.-* | *-.*) refuse ;; esac

case $host in
  \[* | *[0-9]) OTHER_URL=http://www.localhost ;;
  www.*.*) OTHER_URL=$scheme://${host#www.}$port ;;
  *) OTHER_URL=$scheme://www.$host$port ;;
esac
SITE_URL=$scheme://$host$port
export SITE_URL OTHER_URL
exec "$@"
