import { PublicClientApplication } from "@azure/msal-browser";

export const msalConfig = {
    auth: {
        cientId: "11111111-1111-4111-8111-111111111111", // ID
        authority: "https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333", // URL
        redirectUrl: "http://192.0.2.48", // testing
    },
    cache: {
        cacheLocation: "localStorage",
        storeAuthStateInCookies: false,
    },
};

export const msalInstance = new PublicClientApplication(msalConfig);
