CLIENT_ID="11111111-1111-4111-8111-111111111111"
curl "https://acme.b2clogin.com/acme.onmicrosoft.com/oauth2/v2.0/token?p=B2C_1_ropc" -d scope=openid | jq
