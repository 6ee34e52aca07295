import os

CELERY_BROKER_URL = "redis://localhost:6379"

OIDC_HOST = os.environ.get("OIDC_HOST", "https://accounts.acme.example")
OIDC_REALM = os.environ.get("OIDC_REALM", "secure")
OIDC_RP_CLIENT_ID = os.environ.get("OIDC_RP_CLIENT_ID", "backend")
OIDC_RP_CLIENT_SECRET = os.environ.get("OIDC_RP_CLIENT_SECRET", "hunter2")

OIDC_OP_AUTHORIZATION_ENDPOINT = f'{OIDC_HOST}/realms/{OIDC_REALM}/protocol/openid-connect/auth'
OIDC_OP_TOKEN_ENDPOINT = f'{OIDC_HOST}/realms/{OIDC_REALM}/protocol/openid-connect/token'
OIDC_OP_USER_ENDPOINT = f'{OIDC_HOST}/realms/{OIDC_REALM}/protocol/openid-connect/userinfo'

OIDC_OP_JWKS_ENDPOINT = 'https://accounts.acme.example/realms/secure/protocol/openid-connect/certs'
OIDC_RP_SIGN_ALGO = "RS256"
