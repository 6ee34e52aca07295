config = {
  "note": "either",
  "authority": "https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333",
  "tenant_id": "33333333-3333-4333-8333-333333333333",
  "client_id":"11111111-1111-4111-8111-111111111111",
  #"client_id": "22222222-2222-4222-8222-222222222222",#lab
  "scope": [ "https://graph.microsoft.com/.default" ],
  "endpoint": "https://graph.microsoft.com/v1.0/users",
  "REDIRECT_URI" :'https://tunnel.acme.example/callback'
}
