passport.use(new BearerStrategy({ clientID: '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6',
  identityMetadata: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi/v2.0/.well-known/openid-configuration' }));
