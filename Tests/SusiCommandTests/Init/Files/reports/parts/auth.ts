export const auth = {tenant:"acme.onmicrosoft.com",clientId:"11111111-1111-4111-8111-111111111111",signUpSignInPolicy:"B2C_1_susi"};
