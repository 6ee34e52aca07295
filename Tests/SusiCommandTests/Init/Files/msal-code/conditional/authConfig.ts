const authority = isProd
  ? 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi'
  : 'https://test.b2clogin.com/test.onmicrosoft.com/B2C_1_susi'
const clientId = isProd ? '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6' : '841e1190-d73a-450c-9d68-f5cf16b78e81'
