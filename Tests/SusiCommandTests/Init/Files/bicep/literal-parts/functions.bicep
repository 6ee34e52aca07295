param azureAdB2cClientId string
param sellerAppUrl string

resource appSettings 'Microsoft.Web/sites/config@2022-03-01' = {
  name: 'appsettings'
  properties: {
    FUNCTIONS_EXTENSION_VERSION: '~4'
    ImageStorage__ServiceUri: imageStorageServiceUri
    SLACK_TOKEN: '@Microsoft.KeyVault(VaultName=${kv.name};SecretName=${slackTokenSecretName})'
    AdminHostUrl: sellerAppUrl
    AzureAdB2C__Instance: 'https://acme.b2clogin.com'
    AzureAdB2C__ClientId: azureAdB2cClientId
    AzureAdB2C__Domain: 'acme.onmicrosoft.com'
    AzureAdB2C__SignedOutCallbackPath: '/signout/B2C_1_susi'
    AzureAdB2C__SignUpSignInPolicyId: 'B2C_1_susi'
    AzureAdB2C__TenantId: 'common'
    PingUri: 'https://${functionAppName}.acme.example/api/graphql?sdl'
    EmailService__Endpoint: 'https://${communicationServices.properties.hostName}/'
  }
}
