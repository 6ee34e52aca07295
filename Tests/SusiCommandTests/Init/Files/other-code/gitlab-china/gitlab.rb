"client_id" => "11111111-1111-4111-8111-111111111111",
"tenant_id" => "33333333-3333-4333-8333-333333333333",
"base_azure_url" => "https://login.chinacloudapi.cn",
