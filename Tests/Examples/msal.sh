# needs: python3 -c 'import msal, requests'
REQUESTS_CA_BUNDLE=$CA python3 "$HERE/msal_code.py"
