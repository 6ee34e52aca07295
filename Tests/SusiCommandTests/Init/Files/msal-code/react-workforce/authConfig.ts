export const msalConfig: Configuration = {
  auth: { clientId: "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6", authority: "https://login.microsoftonline.com/775527ff-9a37-4307-8b3d-cc311f58d925", redirectUri: "http://localhost:3000" },
};
export const loginRequest = { scopes: ["User.Read"] };
export const graphConfig = { graphMeEndpoint: "https://graph.microsoft.com/v1.0/me" };
