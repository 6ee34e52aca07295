const settings = { authority: "/", redirect_uri: "/oidc", client_id: "account", client_secret: "hunter2" };
