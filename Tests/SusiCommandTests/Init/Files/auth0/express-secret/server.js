app.use(auth({ issuerBaseURL: 'https://acme.us.auth0.com', clientID: '8Xa1v0exampleClient5d7', secret: 'hunter2' }));
