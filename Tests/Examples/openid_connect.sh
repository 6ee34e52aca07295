# needs: ruby -e 'require "openid_connect"' && python3 -c 'import requests'
export REQUESTS_CA_BUNDLE="$CA"
ruby "$HERE/openid_connect.rb" "$ISSUER_FORM"
SSL_CERT_FILE=$CA ruby "$HERE/openid_connect.rb" "$ISSUER_FORM" plain
