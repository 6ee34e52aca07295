issuer: 'https://login.microsoftonline.com/acme.onmicrosoft.com/v2.0?p=B2C_1_susi',
clientId: '11111111-1111-4111-8111-111111111111',
