class _MyHomePageState extends State<MyHomePage> {
  static final Config configB2Ca = Config(
    // tenant: "YOUR_TENANT_NAME",
    // clientId: "YOUR_CLIENT_ID",
    // policy: "YOUR_USER_FLOW___USER_FLOW_A",
    tenant: "acme",
    clientId: "11111111-1111-4111-8111-111111111111",
    scope: "11111111-1111-4111-8111-111111111111 offline_access",
    clientSecret: "hunter2",

    isB2C: true,
    redirectUri: "https://jwt.ms",

    policy: "B2C_1_signupsignin1",
    navigatorKey: navigatorKey,
  );
  final AadOAuth oauth = AadOAuth(configB2Ca);
}
