import { AuthConfig } from 'angular-oauth2-oidc';

export const authConfig: AuthConfig = {
    issuer: 'https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_susi/v2.0/',
    redirectUri: 'https://localhost:4200',
    clientId: '11111111-1111-4111-8111-111111111111',
    responseType: 'code',
    scope: ' openid',
    strictDiscoveryDocumentValidation: false,
    showDebugInformation: true,
    skipIssuerCheck: true,
    oidc: true,
    timeoutFactor: 0.01
};
