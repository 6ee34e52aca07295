# needs: go version && test -d /usr/share/gocode/src/github.com/coreos/go-oidc && python3 -c 'import requests'
# Debian's packages, without modules.
GOCACHE=$GO_CACHE GO111MODULE=off GOPATH=/usr/share/gocode go build -o "$WORK/go_oidc" "$HERE/go_oidc.go"
REQUESTS_CA_BUNDLE=$CA python3 "$HERE/tokens.py" http://localhost:5000/callback >"$WORK/tokens.json"
SSL_CERT_FILE=$CA "$WORK/go_oidc" "$ISSUER_FORM"
