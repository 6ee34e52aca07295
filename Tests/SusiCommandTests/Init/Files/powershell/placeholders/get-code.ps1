Add-Type -AssemblyName System.Web

# id and secret
$tenantName = 'tenant-name.onmicrosoft.com'
$clientId = 'xxxxx'
$apiClientId = 'xxxxx'
$clientSecret = ''
$b2cPolicyName = 'b2c_1_signupsignin'
$resource =  'https://{0}/{1}/user_impersonation' -f $tenantName, $apiClientId
$redirectUri = 'https://jwt.ms/'
$scope = 'openid offline_access ' + $resource
$authority = 'https://login.microsoftonline.com/te/{0}/{1}' -f $tenantName, $b2cPolicyName
