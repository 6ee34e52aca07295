clientId: "11111111-1111-4111-8111-111111111111",
issuer: "https://acme.b2clogin.com/33333333-3333-4333-8333-333333333333/v2.0/",
metadata: "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration",
