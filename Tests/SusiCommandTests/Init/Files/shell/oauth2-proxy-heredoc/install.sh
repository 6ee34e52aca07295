#!/bin/bash
install -d -m 0750 "$(dirname "$PROXY_CFG")"
cat > "$PROXY_CFG" <<CFG
provider = "entra-id"
oidc_issuer_url = "https://login.microsoftonline.com/$OAUTH_TENANT_ID/v2.0"
client_id = "$OAUTH_CLIENT_ID"
client_secret = "$OAUTH_CLIENT_SECRET"
scope = "openid"
redirect_url = "https://$TICKET_HOST/oauth2/callback"
cookie_secret = "$OAUTH2_PROXY_COOKIE_SECRET"
http_address = "0.0.0.0:4180"
CFG
chmod 0600 "$PROXY_CFG"
docker run -d --name oauth2-proxy -p 127.0.0.1:4180:4180 proxy
