# Ruby's openid_connect: discovery, the code flow with a secret, and the id token. Argument: "tenant" or "policy".
require "json"
require "openid_connect"

env = ENV
base = "#{env["ORIGIN"]}/#{env["TENANT"]}/#{env["POLICY"]}"
redirect = "http://localhost:5000/callback"
OpenIDConnect.logger = Logger.new(File::NULL)
# "plain" leaves the trust to SSL_CERT_FILE.
OpenIDConnect.http_config { |http| http.ssl_config.add_trust_ca(env["CA"]) } unless ARGV.include?("plain")

if ARGV.first == "policy"
  issuer = "#{env["ORIGIN"]}/tfp/#{env["TENANT_ID"]}/#{env["POLICY"]}/v2.0/"
  discovery = OpenIDConnect::Discovery::Provider::Config.discover!(issuer)
else
  begin
    OpenIDConnect::Discovery::Provider::Config.discover!("#{base}/v2.0")
    abort "accepted another issuer"
  rescue OpenIDConnect::Discovery::DiscoveryFailed => error
    puts "as in the cloud: #{error.message}"
  end
  issuer = "#{env["ORIGIN"]}/#{env["TENANT_ID"]}/v2.0/"
  OpenIDConnect.validate_discovery_issuer = false
  discovery = OpenIDConnect::Discovery::Provider::Config.discover!("#{base}/v2.0")
end
abort discovery.issuer unless discovery.issuer == issuer

client = OpenIDConnect::Client.new(
  identifier: env["CLIENT_ID"], secret: env["SECRET"], redirect_uri: redirect,
  authorization_endpoint: discovery.authorization_endpoint, token_endpoint: discovery.token_endpoint)
url = client.authorization_uri(scope: [:openid, :offline_access, env["SCOPE"]], state: "s", nonce: "n-1")
code = IO.popen(["python3", "#{env["HERE"]}/sign_in.py", url, redirect], &:read)
client.authorization_code = JSON.parse(code)["code"]
token = client.access_token!
id = OpenIDConnect::ResponseObject::IdToken.decode(token.id_token, discovery.jwks)
id.verify!(issuer: issuer, client_id: env["CLIENT_ID"], nonce: "n-1")
begin
  id.verify!(issuer: "https://other.b2clogin.com/#{env["TENANT_ID"]}/v2.0/", client_id: env["CLIENT_ID"], nonce: "n-1")
  abort "accepted another issuer"
rescue OpenIDConnect::ResponseObject::IdToken::InvalidIssuer => error
  puts error.message
end
puts "openid_connect #{OpenIDConnect::VERSION} accepted #{id.raw_attributes["name"]} #{id.iss}"
