interface Config { clientId: string | undefined; issuer: string }
const config = { clientId: '8Xa1v0exampleClient5d7' as const, issuer: 'https://id.acme.example', apiClientId: 'api', googleClientId: 'g' };
