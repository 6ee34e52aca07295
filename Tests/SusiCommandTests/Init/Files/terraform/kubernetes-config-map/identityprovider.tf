resource "kubernetes_config_map" "identity_provider" {
  metadata {
    name      = "identity"
    namespace = local.namespace
  }

  data = {

      #IDENTITY PROVIDER
      "Authorization__IdentityProvider" = "Auth0"

      #AUTH0
      "Authorization__Auth0__Authority"  = "https://login.acme.example/"
      "Authorization__Auth0__Audience"   = "https://api.acme.example/activities"
      "Authorization__Auth0__ClientId"   = "Z0acmeexampleclient1"
      "Authorization__Auth0__Connection" = "Username-Password-Authentication"

      #PING
      "Authorization__Ping__Authority"   = "https://auth.pingone.acme.example/33333333-3333-4333-8333-333333333333/as"
      "Authorization__Ping__Audience"    = "https://api.acme.example/activities"
  }
}
