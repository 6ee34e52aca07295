// Rewritten by the deployment.

var DeploymentConfig = {
  authEnabled: true,
  authType: 'aad',
  aad : {
    tenant: '33333333-3333-4333-8333-333333333333',
    appId: '11111111-1111-4111-8111-111111111111',
    instance: 'https://login.microsoftonline.com/'
  },
  issuer: "https://iot.acme.example/auth"
}
