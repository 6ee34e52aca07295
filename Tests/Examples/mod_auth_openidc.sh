# needs: test -x /usr/sbin/apache2 && test -f /usr/lib/apache2/modules/mod_auth_openidc.so && python3 -c 'import requests'
modules=/usr/lib/apache2/modules
# Apache's own user reads its files.
own=$(mktemp -d)
apache=
trap '[ -z "$apache" ] || kill "$apache" || :; wait; rm -rf "$own"' EXIT
mkdir "$own/www"
echo secret >"$own/www/index.html"
cp "$CA" "$own/ca.pem"
chmod -R a+rX "$own"
cat >"$own/httpd.conf" <<C
ServerName localhost
Listen 127.0.0.1:$PORT
PidFile $own/pid
ErrorLog $own/error.log
Mutex file:$own default
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authn_core_module $modules/mod_authn_core.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule authz_user_module $modules/mod_authz_user.so
LoadModule dir_module $modules/mod_dir.so
LoadModule headers_module $modules/mod_headers.so
LoadModule auth_openidc_module $modules/mod_auth_openidc.so
DocumentRoot $own/www
OIDCProviderMetadataURL $ORIGIN/$TENANT/$POLICY/v2.0/.well-known/openid-configuration
OIDCCABundlePath $own/ca.pem
OIDCClientID $CLIENT_ID
OIDCClientSecret $SECRET
OIDCRedirectURI http://localhost:$PORT/callback
OIDCCryptoPassphrase a-passphrase-of-the-test
OIDCScope "openid offline_access $SCOPE"
OIDCPKCEMethod S256
OIDCRemoteUserClaim oid
<Location "/">
  AuthType openid-connect
  Require valid-user
  Header set X-User "expr=%{REMOTE_USER}"
</Location>
C
[ "$(id -u)" -ne 0 ] || { printf "User www-data\nGroup www-data\n" >>"$own/httpd.conf"; chown -R www-data "$own"; }
/usr/sbin/apache2 -f "$own/httpd.conf" -X >"$own/out" 2>&1 &
apache=$!
show() { cat "$own/error.log" "$own/out"; exit 1; }
curl -s -o /dev/null --retry 30 --retry-delay 1 --retry-connrefused "http://localhost:$PORT/" || show
REQUESTS_CA_BUNDLE=$CA python3 "$HERE/web_visit.py" "http://localhost:$PORT/" "http://localhost:$PORT/callback" || show
