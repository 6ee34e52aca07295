export const config = { clientId: '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6', authority: 'https://contoso.ciamlogin.com/' }, scopes = ['api://841e1190-d73a-450c-9d68-f5cf16b78e81/ToDoList.Read'];
