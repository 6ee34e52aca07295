class MsalConfig {
  static const String clientId = '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6';
  static const String authority = 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi';
  static const redirectUri = 'msal90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6://auth';
}
