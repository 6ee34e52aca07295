export default new Keycloak({ url: 'https://sso.acme.example', realm: 'acme', clientId: '8Xa1v0exampleClient5d7' });
