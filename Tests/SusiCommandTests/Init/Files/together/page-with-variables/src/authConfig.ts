export const config = { auth: { clientId: import.meta.env.VITE_CLIENT_ID, authority: import.meta.env.VITE_AUTHORITY,
  redirectUri: 'http://localhost:5173/' } };
