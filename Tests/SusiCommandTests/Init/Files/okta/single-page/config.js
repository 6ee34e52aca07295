const config = {
  clientId: '8Xa1v0exampleClient5d7',
  issuer: 'https://dev-1.okta.com/oauth2/default',
  redirectUri: 'http://localhost:8080/implicit/callback',
  pkce: true
};
