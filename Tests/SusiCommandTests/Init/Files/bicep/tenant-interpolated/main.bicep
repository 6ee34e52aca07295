param environment string
param b2cTenantName string = ''
param b2cClientId string = ''

resource api 'Microsoft.Web/sites@2023-01-01' = {
  name: apiName
  properties: {
    siteConfig: {
      appSettings: [
        {
          name: 'FrontendUrl'
          value: 'https://${staticWebAppName}.azurestaticapps.net'
        }
        {
          name: 'AzureAdB2C__Instance'
          value: b2cTenantName != '' ? 'https://${b2cTenantName}.b2clogin.com/' : ''
        }
        {
          name: 'AzureAdB2C__Domain'
          value: b2cTenantName != '' ? '${b2cTenantName}.onmicrosoft.com' : ''
        }
        {
          name: 'AzureAdB2C__ClientId'
          value: b2cClientId
        }
      ]
    }
  }
}
