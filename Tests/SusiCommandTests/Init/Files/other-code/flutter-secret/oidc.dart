const String issuerBase = 'https://sso.acme.example/realms/a';
const String clientId = '8Xa1v0exampleClient5d7';
const String clientSecret = 'hunter2';
