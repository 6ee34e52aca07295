export const API_CLIENT = "22222222-2222-4222-8222-222222222222";//;
export const API_SCOPE = "api://44444444-4444-4444-8444-444444444444/tasks.read";// "api://55555555-5555-4555-8555-555555555555/tasks.read";
export const msalConfig = {
    auth: {
        clientId: '11111111-1111-4111-8111-111111111111',//'66666666-6666-4666-8666-666666666666',//'22222222-2222-4222-8222-222222222222',
        authority: 'https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333',//"https://login.microsoftonline.com/77777777-7777-4777-8777-777777777777",//"https://login.microsoftonline.com/organizations/v2.0",//
        redirectUri: "/",
        scope: "tasks.read",
        domain: "YourDomain",
    },
    cache: {// optional
        cacheLocation: 'localStorage',
    },
};
