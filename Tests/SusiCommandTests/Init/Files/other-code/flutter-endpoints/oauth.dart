const AUTH_CLIENT_ID = "8Xa1v0exampleClient5d7";
var c = AuthorizationServiceConfiguration(authorizationEndpoint: 'https://acme.example/authorize', tokenEndpoint: 'https://acme.example/token');
