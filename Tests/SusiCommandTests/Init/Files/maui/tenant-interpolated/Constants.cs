namespace Acme.Auth;

public static class Constants
{
    // AD
    public static readonly string ClientId = "11111111-1111-4111-8111-111111111111"; // registration
    public static readonly string[] Scopes = new string[] { "openid", "offline_access" };

    // B2C
    public static readonly string TenantName = "acme"; // overview
    public static readonly string TenantId = $"{TenantName}.onmicrosoft.com";
    public static readonly string SignInPolicy = "B2C_1_Client"; // flows
    public static readonly string AuthorityBase = $"https://{TenantName}.b2clogin.com/tfp/{TenantId}/";
    public static readonly string AuthoritySignIn = $"{AuthorityBase}{SignInPolicy}";
    public static readonly string iosKeychainSecurityGroup = "com.microsoft.adalcache";
}
