export default NextAuth({ providers: [ AzureADB2CProvider({
    tenantId: process.env.AZURE_AD_B2C_TENANT_NAME, clientId: process.env.AZURE_AD_B2C_CLIENT_ID!,
    clientSecret: process.env.AZURE_AD_B2C_CLIENT_SECRET!, primaryUserFlow: "B2C_1_susi" }) ] });
