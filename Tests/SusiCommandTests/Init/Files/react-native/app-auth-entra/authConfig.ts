import {AuthConfiguration} from 'react-native-app-auth';

export const config: AuthConfiguration = {
  issuer:
    'https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333/v2.0',
  clientId: '11111111-1111-4111-8111-111111111111',
  redirectUrl: 'msauth.com.acme.mail://auth/',
  scopes: [
    'openid',
    'profile',
    'email',
    'offline_access',
    'https://outlook.office.com/IMAP.AccessAsUser.All',
  ],
};
