# needs: python3 -c 'import identity, flask, flask_session, cachelib'
export REQUESTS_CA_BUNDLE="$CA"
python3 "$HERE/identity_flask.py"
python3 "$HERE/identity_flask.py" oidc
