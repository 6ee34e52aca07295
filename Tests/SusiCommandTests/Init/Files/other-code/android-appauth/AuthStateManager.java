private static final String CLIENT_ID = "8Xa1v0exampleClient5d7";
private static final Uri ISSUER = Uri.parse("https://x.example");
static final String ISSUER_URI = "https://id.acme.example";
