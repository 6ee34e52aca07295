const clientId = String.fromEnvironment('CLIENT_ID', defaultValue: '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6');
const authority = String.fromEnvironment('AUTHORITY', defaultValue: 'https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi');
