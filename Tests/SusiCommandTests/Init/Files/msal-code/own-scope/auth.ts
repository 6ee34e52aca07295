export const config = { clientId: "90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6", authority: "https://contoso.ciamlogin.com/" };
export const scopes = ["api://90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6/tasks.read", `api://${other}/tasks.read`];
