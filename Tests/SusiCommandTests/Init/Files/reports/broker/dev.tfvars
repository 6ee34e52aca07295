b2c_client_id     = "11111111-1111-4111-8111-111111111111"
bankid_config_url = "https://broker.acmeid.example/op/.well-known/openid-configuration"
