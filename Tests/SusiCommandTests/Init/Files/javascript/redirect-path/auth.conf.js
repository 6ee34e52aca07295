authority: "https://id.acme.example/",
client_id: "11111111-1111-4111-8111-111111111111",
redirect_uri: "http://localhost:6020/back/callback.html",
