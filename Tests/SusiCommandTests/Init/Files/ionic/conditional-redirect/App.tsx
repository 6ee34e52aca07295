import { PublicClientApplication } from "@azure/msal-browser";
import { Capacitor } from '@capacitor/core';

const msalConfig = {
  auth: {
    clientId: "11111111-1111-4111-8111-111111111111",
    authority: "https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333",
    redirectUri: Capacitor.isNativePlatform()
      ? "msauth://io.acme.app/hunter2%3D"
      : window.location.origin,
  },
  cache: {
    cacheLocation: "localStorage",
    storeAuthStateInCookie: false
  },
};

const msalInstance = new PublicClientApplication(msalConfig);
