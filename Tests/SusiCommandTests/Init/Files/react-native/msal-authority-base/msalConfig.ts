import type { B2CConfiguration } from './b2cClient';

export const b2cConfig: B2CConfiguration = {
  auth: {
    clientId: '11111111-1111-4111-8111-111111111111',
    authorityBase: 'https://acme.b2clogin.com/tfp/acme.onmicrosoft.com',
    policies: {
      signInSignUp: 'B2C_1_SignInUp',
      passwordReset: 'B2C_1_PasswordReset',
    },
    // redirectUri: Platform.select({ default: undefined }),
  },
  cache: { cacheLocation: 'localStorage' },
};

export const b2cScopes = ['https://acme.onmicrosoft.com/api/user_impersonation'];
