clientId: "11111111-1111-4111-8111-111111111111",
authority: "https://acme.ciamlogin.com/acme.onmicrosoft.com/SignupandSignIn",
