AuthModule.forRoot({ config: { authority: 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Ab1', clientId: '8Xa1v0exampleClient5d7', redirectUrl: window.location.origin } })
