export const msalConfig = { auth: { clientId: "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6",
  authority: "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", redirectUri: "http://localhost:3000/back" } };
export const scopes = ["https://contoso.onmicrosoft.com/todo/ToDoList.Read"];
export const published = { auth: { clientId: "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6", redirectUri: "https://app.contoso.example/" } };
export const frame = { auth: { redirectUri: "https://app.contoso.example/" } };
