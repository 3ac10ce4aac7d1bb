#!/usr/bin/env bash
# Tries the files beside this one: the command of greenwave.service behind a real nginx, and the Caddyfile where
# caddy is installed. packaging/serve/check.sh [PROGRAM], default target/release/greenwave.
set -euo pipefail
program=$(realpath "${1:-target/release/greenwave}")
cd "$(dirname "$0")"
home=$(mktemp -d)
chmod 755 "$home" # for the processes of nginx, which are nobody
trap 'nginx -p "$home" -c "$home/nginx.conf" -s quit 2>/dev/null || true; kill $(jobs -p) 2>/dev/null || true; wait; rm -rf "$home"' EXIT

fail() { echo "packaging/serve: $*" >&2; exit 1; }
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
inner=$(free_port) outer=$(free_port)
site="http://example.org:$outer"
ask() { curl --silent --max-time 20 --resolve "example.org:$outer:127.0.0.1" "$@"; }
# Waits until something answers, for a minute at most.
answers() { curl --silent --fail --retry 60 --retry-delay 1 --retry-connrefused --output "$home/ready" "$1"; }

command -v nginx >/dev/null || { echo "left out: nginx is not installed (apt-get install nginx)"; exit 0; }

# The very command of the service, on a free port.
line=$(sed -n 's/^ExecStart=//p' greenwave.service)
line=${line/\/usr\/local\/bin\/greenwave/$program}
line=${line/--port 7411/--port $inner}
line=${line/https:\/\/example.org/$site}
GREENWAVE_DIR="$home/tables" $line --access-log "$home/access.log" &
answers "http://127.0.0.1:$inner/healthz" || fail "the command of greenwave.service serves nothing"

# A rate that no slow machine can keep below.
sed -e "s/listen 80;/listen $outer;/" -e '/listen \[::\]/d' -e "s/:7411/:$inner/" \
    -e 's#rate=20r/s#rate=1r/m#' -e 's/burst=60/burst=20/' \
    nginx.conf >"$home/site.conf"
cat >"$home/nginx.conf" <<END
pid $home/nginx.pid;
error_log $home/error.log;
events {}
http {
    access_log $home/nginx.log;
    client_body_temp_path $home/body;
    proxy_temp_path $home/proxy;
    fastcgi_temp_path $home/fastcgi;
    uwsgi_temp_path $home/uwsgi;
    scgi_temp_path $home/scgi;
    include $home/site.conf;
}
END
nginx -p "$home" -c "$home/nginx.conf" || fail "nginx refuses nginx.conf"

status() { ask --output "$home/answer" --write-out '%{http_code}' "$@"; }
for path in /healthz /robots.txt / '/semaforo?lang=pt' '/api/v1/query?variant=classic-3x3&moves=b2R,b2Y'; do
    found=$(status "$site$path")
    [ "$found" = 200 ] || fail "$path: found $found, expected 200"
done
grep -q '"value":"win"' "$home/answer" || fail "the API does not answer through nginx"
found=$(status --request POST "$site/")
[ "$found" = 405 ] || fail "POST: found $found, expected 405"
# The explorer sees the client that nginx names, and not what the client says of itself.
status --header 'X-Forwarded-For: 192.0.2.7' "$site/points-3x3" >/dev/null
grep 'points-3x3' "$home/access.log" | grep -q ' 127.0.0.1 ' || fail "a client can choose its address"
codes=$(seq 40 | xargs -P 10 -I{} curl --silent --resolve "example.org:$outer:127.0.0.1" \
    --output /dev/null --write-out '%{http_code}\n' "$site/classic-3x3" | sort | uniq -c)
grep -q 429 <<<"$codes" || fail "nginx limits nobody: $codes"

if command -v caddy >/dev/null; then
    caddy validate --adapter caddyfile --config Caddyfile >"$home/caddy.log" 2>&1 || fail "caddy refuses the Caddyfile: $(tail -1 "$home/caddy.log")"
else
    echo "left out: caddy is not installed (apt-get install caddy)"
fi
if command -v logrotate >/dev/null; then
    cp greenwave.logrotate "$home/" && chmod 644 "$home/greenwave.logrotate"
    logrotate --debug --state "$home/rotated" "$home/greenwave.logrotate" >"$home/rotate.log" 2>&1 \
        && ! grep -q '^error' "$home/rotate.log" || fail "logrotate refuses greenwave.logrotate: $(tail -1 "$home/rotate.log")"
else
    echo "left out: logrotate is not installed (apt-get install logrotate)"
fi
echo "packaging/serve: the service answers through nginx"
