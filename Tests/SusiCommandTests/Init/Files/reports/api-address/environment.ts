export const environment = { clientId: "11111111-1111-4111-8111-111111111111", authority: "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_susi",
  apiConfig: { uri: "https://api.acme.example/" } };
