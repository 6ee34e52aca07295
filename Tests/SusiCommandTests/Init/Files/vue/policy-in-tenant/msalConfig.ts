import { AuthenticationParameters, Configuration } from 'msal';

export const azureB2CConfig: any = {
  clientId: '11111111-1111-4111-8111-111111111111',
  tenantId: 'acme.onmicrosoft.com/B2C_1_SU-SI-POL',
  tenantName: 'acme.b2clogin.com/tfp',
  redirectUri: import.meta.env.VITE_APP_B2C_REDIRECT_URI as string,
  authority: 'https://acme.b2clogin.com/tfp/acme.onmicrosoft.com/B2C_1_SU-SI-POL',
  forgotPasswordAuthority: 'https://acme.b2clogin.com/tfp/acme.onmicrosoft.com/B2C_1_PR-POL'
};

export const msalConfig: Configuration = {
  auth: {
    clientId: azureB2CConfig.clientId,
    authority: azureB2CConfig.authority,
    redirectUri: azureB2CConfig.redirectUri,
    validateAuthority: false
  },
};
