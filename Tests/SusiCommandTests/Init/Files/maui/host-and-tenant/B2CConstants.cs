namespace UserDetailsClient.Core.Features.LogOn
{
    public static class B2CConstants
    {
        public static string Tenant = "acme.onmicrosoft.com";
        public static string AzureADB2CHostname = "acme.b2clogin.com";
        public static string ClientID = "11111111-1111-4111-8111-111111111111";
        public static string PolicySignUpSignIn = "b2c_1_susi";
        public static string PolicyEditProfile = "b2c_1_edit_profile";
        public static string PolicyResetPassword = "b2c_1_reset";

        public static string[] Scopes = { "https://acme.onmicrosoft.com/helloapi/demo.read" };

        public static string AuthorityBase = $"https://{AzureADB2CHostname}/tfp/{Tenant}/";
        public static string AuthoritySignInSignUp = $"{AuthorityBase}{PolicySignUpSignIn}";
        public static string IOSKeyChainGroup = "com.acme.adalcache";
    }
}
