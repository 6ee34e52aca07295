openid_configuration_endpoint="https://acme.ciamlogin.com/acme.onmicrosoft.com/v2.0/.well-known/openid-configuration?appid=44444444-4444-4444-8444-444444444444"
