var entraInstance = environment == 'dev' ? 'https://acmedev.ciamlogin.com/' : 'https://acme.ciamlogin.com/'
var entraTenantId = environment == 'dev' ? '33333333-3333-4333-8333-333333333333' : '44444444-4444-4444-8444-444444444444'
var entraFrontendClientId = environment == 'dev' ? '11111111-1111-4111-8111-111111111111' : '22222222-2222-4222-8222-222222222222'
