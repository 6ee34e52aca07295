import { InjectionToken } from '@angular/core';

export interface ApplicationConfig {
    acmeApp: any;
    mobileApiEndpoint: string;
}

export const MY_CONFIG = {
    acmeApp: {
        client_id: "11111111-1111-4111-8111-111111111111",
        //client_secret: "hunter2",
        client_secret: "hunter%32",
        oauthBaseEndpoint: "https://acme.b2clogin.com/acme.onmicrosoft.com/oauth2/v2.0",
        oauthBaseEndpointMainParam: {
            paramName: "p",
            paramValue: "b2c_1_signuporsignin"
        },
        oauthRedirectEndpoint: "http://localhost/"
    },
    mobileApiEndpoint: "http://localhost:7001/Acme/api/mobile"
};

export const MY_CONFIG_TOKEN = new InjectionToken<ApplicationConfig>('config');
