public const string ClientId = "11111111-1111-4111-8111-111111111111";
public const string Authority = "https://acme.ciamlogin.com/";
public const string ApiBaseUri = "https://api.acme.example/v1/";
public static readonly string[] Scopes = [ "https://acme.onmicrosoft.com/api/todo.read", "openid" ];
public static readonly string[] Others = { $"https://{Domain}/api/todo.write" };
