root.render(<Auth0Provider domain="acme.us.auth0.com" clientId="8Xa1v0exampleClient5d7" authorizationParams={{ redirect_uri: window.location.origin }}><App /></Auth0Provider>);
