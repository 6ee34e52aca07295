export const ZITADEL_CONFIG = { issuer: process.env.NEXT_PUBLIC_ZITADEL_ISSUER || 'http://localhost:8888', clientId: process.env.NEXT_PUBLIC_ZITADEL_CLIENT_ID || '' } as const
