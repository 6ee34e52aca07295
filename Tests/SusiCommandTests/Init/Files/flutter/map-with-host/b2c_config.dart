// later
const Map<String, dynamic> kB2CConfig = {
  'tenant': 'acme.onmicrosoft.com',
  'clientId': '11111111-1111-4111-8111-111111111111',
  'policy': 'B2C_1_signupsignin',
  'authorityHost': 'acme.ciamlogin.com',
  'scopes': ['openid', 'offline_access', 'email', 'profile'],
  'redirectUris': {
    'android': 'com.acme.app://oauth/callback',
    'ios': 'msauth.com.acme.app://auth',
  },
};
