export const msalConfig = { auth: { clientId: process.env.CLIENT_ID || '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6',
    authority: import.meta.env.VITE_AUTHORITY ?? 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi' } };
