final defaultDiscoveryUrl = "https://sso.acme.example/realms/a/.well-known/openid-configuration";
final clientId = "8Xa1v0exampleClient5d7";
final String? clientSecret = null;
