import * as AuthSession from 'expo-auth-session';

const TENANT_NAME = process.env.EXPO_PUBLIC_B2C_TENANT ?? 'acme';
const CLIENT_ID = process.env.EXPO_PUBLIC_B2C_CLIENT_ID ?? '';
const POLICY_NAME = process.env.EXPO_PUBLIC_B2C_POLICY ?? 'B2C_1_signupsignin';

const B2C_BASE_URL = `https://${TENANT_NAME}.b2clogin.com/${TENANT_NAME}.onmicrosoft.com/${POLICY_NAME}`;

const DISCOVERY: AuthSession.DiscoveryDocument = {
  authorizationEndpoint: `${B2C_BASE_URL}/oauth2/v2.0/authorize`,
  tokenEndpoint: `${B2C_BASE_URL}/oauth2/v2.0/token`,
};
