export const environment = {
  msal: { clientId: '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6', authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi' },
  b2c: { names: { signUpSignIn: 'B2C_1_susi', editProfile: 'B2C_1_profile', resetPassword: 'B2C_1_new' } },
};
