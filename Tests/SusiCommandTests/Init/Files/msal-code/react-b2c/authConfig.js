/** Enter here the user flows of your application. It's “b2cPolicies”: https://old.b2clogin.com/old.onmicrosoft.com/B2C_1_old */
import { LogLevel } from "@azure/msal-browser";
export const b2cPolicies = {
    names: { signUpSignIn: 'B2C_1_susi', forgotPassword: 'B2C_1_reset', editProfile: 'B2C_1_edit_profile' },
    authorities: {
        signUpSignIn: { authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi' },
        forgotPassword: { authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_reset' },
        editProfile: { authority: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_edit_profile' },
    },
    authorityDomain: 'contoso.b2clogin.com',
};
export const msalConfig = {
    auth: {
        clientId: '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6', // clientId: '841e1190-d73a-450c-9d68-f5cf16b78e81'
        authority: b2cPolicies.authorities.signUpSignIn.authority,
        knownAuthorities: [b2cPolicies.authorityDomain],
        redirectUri: '/', postLogoutRedirectUri: 'http://localhost:9999/',
    },
};
export const protectedResources = { apiTodoList: { endpoint: 'http://localhost:5000/api/todolist',
    scopes: { read: ['https://contoso.onmicrosoft.com/TodoList/ToDoList.Read'] } } };
