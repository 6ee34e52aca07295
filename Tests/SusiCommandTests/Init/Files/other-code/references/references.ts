const current = { app: { id: "8Xa1v0exampleClient5d7" } };
export const config = { clientId: current.app.id, issuer: "https://id.acme.example" };
