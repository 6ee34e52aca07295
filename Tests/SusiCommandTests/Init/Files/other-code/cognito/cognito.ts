const clientId = '8Xa1v0exampleClient5d7', url = 'https://acme.auth.eu-west-1.amazoncognito.com/oauth2/authorize';
