const clients = { dev: { clientId: "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6", authority: "https://dev.b2clogin.com/dev.onmicrosoft.com/B2C_1_susi_dev" },
  prod: { clientId: "841e1190-d73a-450c-9d68-f5cf16b78e81", authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi" } };
