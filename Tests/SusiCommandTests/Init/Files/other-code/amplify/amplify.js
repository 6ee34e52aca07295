Amplify.configure({ Auth: { userPoolId: 'eu-west-1_Ab1', userPoolWebClientId: '8Xa1v0exampleClient5d7', oauth: { domain: 'acme.auth.eu-west-1.amazoncognito.com' } } });
