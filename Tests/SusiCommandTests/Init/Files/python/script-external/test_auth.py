import requests
from msal import PublicClientApplication

# External ID
B2C_TENANT_NAME = "acme"
B2C_TENANT_ID = "33333333-3333-4333-8333-333333333333"
B2C_CLIENT_ID = "11111111-1111-4111-8111-111111111111"

# ciamlogin.com
AUTHORITY = f"https://{B2C_TENANT_NAME}.ciamlogin.com/{B2C_TENANT_ID}"

API_BASE_URL = "https://api-b2c.acme.example"

SCOPES = [f"{B2C_CLIENT_ID}/.default"]
