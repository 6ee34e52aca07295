clientId: '11111111-1111-4111-8111-111111111111',
issuer: 'https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333/v2.0',
tokenEndpoint: 'https://acme.b2clogin.com/acme.onmicrosoft.com/oauth2/v2.0/token?p=B2C_1A_SIGNIN',
