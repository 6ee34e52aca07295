// Government:
//     - authority: https://login.microsoftonline.us/33333333-3333-4333-8333-333333333333
//     - knownAuthorities: ['login.microsoftonline.us']
// Commercial:
//     - authority: https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333

export const environment = {
  production: false,
  apiUrl: '/api',
  backendUrl: 'http://localhost:5000',
  msalConfig: {
    auth: {
      clientId: '<your-app-registration-client-id>',
      authority: 'https://login.microsoftonline.com/<your-tenant-id>',
      redirectUri: 'http://localhost:4200',
      postLogoutRedirectUri: 'http://localhost:4200',
      knownAuthorities: ['login.microsoftonline.com'],
    },
  },
};
