# needs: python3 -c 'import fastapi_azure_auth, httpx, requests'
export REQUESTS_CA_BUNDLE="$CA"
python3 "$HERE/fastapi_api.py" bundle
SSL_CERT_FILE=$CA python3 "$HERE/fastapi_api.py" environment
