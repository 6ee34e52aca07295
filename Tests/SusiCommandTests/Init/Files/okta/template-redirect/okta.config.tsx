export default new OktaAuth({ issuer: "https://acme.okta.com", clientId: "8Xa1v0exampleClient5d7", redirectUri: `${window.location.origin}/login` });
