export default NextAuth({ providers: [ AzureADB2CProvider({
  clientId: process.env.AZURE_AD_B2C_CLIENT_ID, tenantId: process.env.AZURE_AD_B2C_TENANT_NAME,
  primaryUserFlow: "B2C_1_susi" }) ] });
