using 'main.bicep'

param name = 'AzureADB2CDeployment'
param location = 'canadacentral'
param acr = {
  name: 'repository-name'
  subscriptionId: 'azure-subscription-id'
  resourceGroup: 'azure-resource-group-name'
}
param tenant = {
  name: 'your-azure-ad-b2c-tenant-name-without-onmicrosoft'
  sendgridFromEmail: 'sendgrid-from-email'
}
param authImage = {
  name: 'image-name'
  tag: 'latest'
}
