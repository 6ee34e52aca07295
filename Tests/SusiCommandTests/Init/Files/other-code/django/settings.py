OIDC_RP_CLIENT_ID = os.environ['OIDC_RP_CLIENT_ID']
OIDC_OP_TOKEN_ENDPOINT = 'https://id.acme.example/token'
