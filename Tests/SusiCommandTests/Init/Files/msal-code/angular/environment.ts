export const environment = { production: false, msalConfig: { auth: {
    clientId: '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6', authority: 'https://login.microsoftonline.com/common' } },
  apiConfig: { scopes: ['user.read'], uri: 'https://graph.microsoft.com/v1.0/me' } };
