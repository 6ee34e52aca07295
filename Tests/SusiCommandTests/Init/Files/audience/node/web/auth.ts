import { PublicClientApplication } from "@azure/msal-browser";
export const config = { auth: { clientId: "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6",
  authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", redirectUri: "http://localhost:5173/" } };
export const scopes = ["https://contoso.onmicrosoft.com/todo/read"];
