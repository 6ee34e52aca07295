<%@ Page ContentType="application/json" %>
{
    "msalConfig": {
        "auth": {
            "clientId": "<%= Environment.GetEnvironmentVariable("AzureAD__ClientId") %>",
            "authority": "https://login.microsoftonline.com/<%= Environment.GetEnvironmentVariable("AzureAD_TenantId") %>",
            "redirectUri": "https://<%= Request.Url.Host %>/"
        }
    },
    "apiConfig": {
        "BaseUrl": "<%= Environment.GetEnvironmentVariable("ApiSettings__URL") %>/",
        "Scopes": [
            "<%= Environment.GetEnvironmentVariable("ApiSettings__Scope") %>"
        ]
    }
}
