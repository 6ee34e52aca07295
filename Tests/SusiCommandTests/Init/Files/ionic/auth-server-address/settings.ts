export const settings = {
    auth: {
        clientId: '11111111-1111-4111-8111-111111111111',
        authServerUrl: 'https://acme.b2clogin.com/tfp/acme.onmicrosoft.com/B2C_1_own_signupsignin/v2.0',
        scopes: 'openid profile offline_access',
        nativeRedirectCallback: 'appauth://callback',
        nativeEndSessionRedirectUrl: 'appauth://endsession',
        implicitRedirectCallback: '/implicit/authcallback',
        implicitEndSessionRedirectUrl: '/implicit/endsession',
    }
};
