oauth2.Config{ClientID: "web", ClientSecret: os.Getenv("SECRET"), Endpoint: provider.Endpoint()}
provider, err := oidc.NewProvider(ctx, "https://id.acme.example")
