# needs: python3 -c 'import fastapi_msal, requests'
python3 "$HERE/fastapi_msal_app.py"
