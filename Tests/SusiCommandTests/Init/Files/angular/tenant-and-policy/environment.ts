import { Environment } from '../environment';

export const environment: Environment = {
  apiUrl: 'https://api.acme.example',
  production: false,
  azureB2C: {
    tenant: 'acme',
    clientId: '11111111-1111-4111-8111-111111111111',
    scope: ['openid'],
    redirectUri: 'https://localhost:5555/signin',
    postLogoutRedirectUri: 'https://localhost:5555/',
    policy: 'B2C_1A_ACME_SIGNIN_DEV',
    verifierLength: 43,
  },
};
