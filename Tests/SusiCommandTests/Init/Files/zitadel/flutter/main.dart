final zitadelIssuer = Uri.parse('https://acme-x1.zitadel.cloud');
const zitadelClientId = '123456@proj';
final oidc = OidcUserManager.lazy(discoveryDocumentUri: Uri.parse('https://acme-x1.zitadel.cloud/.well-known/openid-configuration'));
