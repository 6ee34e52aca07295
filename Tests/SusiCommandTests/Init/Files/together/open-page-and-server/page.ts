export const auth = { clientId: window.settings.id, cacheLocation: "sessionStorage" };
