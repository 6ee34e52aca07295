import Susi
import SusiTestSupport
import SusiTools

/// Caches in the format of each library, with its members and its spelling.
enum Fixture {
    static let guid = "aaaaaaaa-0000-0000-0000-000000000001"
    static let client = "11111111-1111-1111-1111-111111111111"
    static let ana = "a1000000-0000-0000-0000-00000000000a"
    static let ben = "b1000000-0000-0000-0000-00000000000b"
    static let domain = "contoso.onmicrosoft.com"
    static let home = "\(ana)-b2c_1_susi.\(guid)"
    /// An unsigned id token with Ana's name and address.
    static let idToken = [
        #"{"alg":"RS256","typ":"JWT"}"#, #"{"oid":"\#(ana)","name":"Ana Lima","emails":["ana@contoso.example"]}"#, "x",
    ].map { Base64URL.encode($0.utf8) }.joined(separator: ".")

    /// Returns an unsigned id token of an issuer.
    static func idToken(of issuer: String) -> String {
        [#"{"alg":"RS256"}"#, #"{"iss":"\#(issuer)","sub":"AbC-1"}"#, "x"].map { Base64URL.encode($0.utf8) }
            .joined(separator: ".")
    }

    /// Returns a cache of MSAL for Python: only sections with entries, no user name for B2C, the first segment of the
    /// token endpoint as realm.
    static func python(
        home: String = home, host: String = "contoso.b2clogin.com", client: String = client, realm: String = domain,
        secret: String = "refresh-python", objectID: String = ana, idToken: String = idToken
    ) -> String {
        """
        {"AccessToken": {"\(home)-\(host)-accesstoken-\(client)-\(realm)-api://hello/demo.read": {
            "credential_type": "AccessToken", "secret": "access-python", "home_account_id": "\(home)",
            "environment": "\(host)", "client_id": "\(client)", "target": "api://hello/demo.read openid", "realm": "\(realm)",
            "token_type": "Bearer", "cached_at": "1000", "expires_on": "4600", "extended_expires_on": "4600"}},
         "Account": {"\(home)-\(host)-\(realm)": {"home_account_id": "\(home)", "environment": "\(host)",
            "realm": "\(realm)", "local_account_id": "\(objectID)", "username": "", "authority_type": "MSSTS",
            "account_source": "authorization_code"}},
         "IdToken": {"\(home)-\(host)-idtoken-\(client)-\(realm)-": {"credential_type": "IdToken", "secret": "\(idToken)",
            "home_account_id": "\(home)", "environment": "\(host)", "realm": "\(realm)", "client_id": "\(client)"}},
         "RefreshToken": {"\(home)-\(host)-refreshtoken-\(client)--api://hello/demo.read": {
            "credential_type": "RefreshToken", "secret": "\(secret)", "home_account_id": "\(home)",
            "environment": "\(host)", "client_id": "\(client)", "target": "api://hello/demo.read",
            "last_modification_time": "1000"}},
         "AppMetadata": {"appmetadata-\(host)-\(client)": {"client_id": "\(client)", "environment": "\(host)"}}}
        """
    }

    /// A cache of MSAL .NET: a placeholder as user name, `client_info`, family ids, empty objects, section names in any
    /// letter case.
    static let dotNet = """
        {"AccessToken":{},"refreshtoken":{"\(home)-login.windows.net-refreshtoken-1--":{
            "home_account_id":"\(home)","environment":"contoso.b2clogin.com","client_info":"e30","client_id":"\(client)",
            "secret":"refresh-net","credential_type":"RefreshToken","family_id":"1","unknown_field":{"a":[1]}}},
         "IdToken":{},"Account":{"\(home)-contoso.b2clogin.com-\(guid)":{"home_account_id":"\(home)",
            "environment":"contoso.b2clogin.com","client_info":"e30","username":"Missing from the token response",
            "name":"Ana Lima","given_name":"Ana","family_name":null,"local_account_id":"\(ana.uppercased())",
            "authority_type":"MSSTS","realm":"\(guid)","wam_account_ids":{"a":"b"}}},
         "AppMetadata":{},"future":[]}
        """

    /// A cache of MSAL Node: tenant profiles as text, its own spelling of the token type, an expiry of the refresh
    /// token.
    static let node = """
        {"Account":{"\(home)-contoso.b2clogin.com-\(domain)":{"home_account_id":"\(home)",
            "environment":"contoso.b2clogin.com","realm":"\(domain)","local_account_id":"\(ana)",
            "username":"ana@contoso.example","authority_type":"MSSTS","name":"Ana","client_info":"",
            "tenantProfiles":["{\\"tenantId\\":\\"\(guid)\\",\\"localAccountId\\":\\"\(ana)\\"}"]}},
         "IdToken":{},"AccessToken":{"x":{"home_account_id":"\(home)","environment":"contoso.b2clogin.com",
            "credential_type":"AccessToken_With_AuthScheme","client_id":"\(client)","secret":"s","realm":"\(domain)",
            "target":"a b","tokenType":"pop","keyId":"k"}},
         "RefreshToken":{"\(home)-contoso.b2clogin.com-refreshtoken-\(client)----":{"home_account_id":"\(home)",
            "environment":"contoso.b2clogin.com","credential_type":"RefreshToken","client_id":"\(client)",
            "secret":"refresh-node","expiresOn":"99999"}},"AppMetadata":{}}
        """

    /// Returns a cache of ADAL for Python and Node: two resources of one user with one refresh token, and a service
    /// without one.
    static func adal(
        authority: String = "https://contoso.b2clogin.com/\(domain)/B2C_1_susi", client: String = client,
        secret: String = "refresh-adal", objectID: String? = ana
    ) -> String {
        let identity = objectID.map { #""oid": "\#($0)", "tenantId": "\#(guid)", "# } ?? ""
        let entry = { (resource: String) in
            """
            {"tokenType": "Bearer", "expiresIn": 3599, "expiresOn": "2020-01-01 10:00:00.123456", \(identity)
             "resource": "\(resource)", "accessToken": "access-adal", "refreshToken": "\(secret)", "isMRRT": true,
             "userId": "ana@contoso.example", "isUserIdDisplayable": true, "familyName": "Lima", "givenName": "Ana",
             "identityProvider": null, "_clientId": "\(client)", "_authority": "\(authority)"}
            """
        }
        return """
            [\(entry("https://graph.windows.net/")), \(entry("https://graph.microsoft.com")),
             {"tokenType": "Bearer", "expiresOn": "2020-01-01 10:00:00", "resource": "https://graph.windows.net/",
              "accessToken": "access-service", "isMRRT": true, "_clientId": "service", "_authority": "\(authority)"}]
            """
    }

    /// Returns a refresh token's section with these changes; nil removes a member.
    static func refreshToken(_ changes: [String: String?]) -> String {
        var members: [String: String] = [
            "home_account_id": #""\#(home)""#, "environment": #""contoso.b2clogin.com""#, "client_id": #""\#(client)""#,
            "secret": #""good""#,
        ]
        for (name, value) in changes { members[name] = value }
        let text = members.sorted { $0.key < $1.key }.map { #""\#($0.key)": \#($0.value)"# }.joined(separator: ", ")
        return "{\(text)}"
    }

    static func file(_ text: String, as format: CacheFile.Format? = nil) throws -> CacheFile {
        try CacheFile(parsing: Array(text.utf8), as: format)
    }
}
