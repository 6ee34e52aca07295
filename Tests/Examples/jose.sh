# needs: test -d "${JOSE:-/usr/share/nodejs/jose}" && node --version && python3 -c 'import requests'
REQUESTS_CA_BUNDLE=$CA python3 "$HERE/tokens.py" http://localhost:5000/callback >"$WORK/tokens.json"
NODE_EXTRA_CA_CERTS=$CA node "$HERE/jose.mjs"
# Without the certificate authority nothing is accepted.
! node "$HERE/jose.mjs" 2>"$WORK/error"
grep -q 'UNABLE_TO_VERIFY_LEAF_SIGNATURE\|unable to verify the first certificate' "$WORK/error"
