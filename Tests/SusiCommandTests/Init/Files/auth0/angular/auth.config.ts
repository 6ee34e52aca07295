export const authConfig: AuthConfig = { issuer: 'https://acme.eu.auth0.com/', clientId: '8Xa1v0exampleClient5d7', redirectUri: window.location.origin + '/index.html', scope: 'openid profile' };
