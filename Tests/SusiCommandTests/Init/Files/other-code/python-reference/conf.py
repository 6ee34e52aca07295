CLIENT_ID = base.CLIENT_ID
ISSUER = "https://id.acme.example"
