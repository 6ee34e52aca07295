export default {
  clientid: '{your-client-id}',
  redirecturl: 'http://localhost:8080/dashboard',
  authority: 'https://{tenant}.b2clogin.com/tfp/{tenant}.onmicrosoft.com/{policy}',
  scopes: ['https://{tenant}.onmicrosoft.com/{app_id_uri}/user_impersonation'],
  appinsightsid: '',
}
