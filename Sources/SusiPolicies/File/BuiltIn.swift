package import SusiBase

extension PoliciesFile {
    /// The policies if there is no `policies.json`: those of the emulator's tenant.
    package static func builtIn() throws(PolicyFileError) -> PoliciesFile {
        try PoliciesFile(text: builtInText.utf8, source: "the built-in policies")
    }

    package static let builtInApplication = "local"

    package static let builtInText = """
        {
          "applications": {
            "local": {
              "kind": "b2c",
              "authority": "http://localhost:8480/contoso.onmicrosoft.com",
              "clientId": "11111111-1111-1111-1111-111111111111",
              "redirectPorts": [8400, 8401, 53682],
              "policies": {
                "B2C_1_susi": { "kind": "signUpOrSignIn", "default": true },
                "B2C_1_partner": {
                  "kind": "signUpOrSignIn",
                  "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"]
                },
                "B2C_1_edit_profile": { "kind": "editProfile" },
                "B2C_1_reset": { "kind": "passwordReset" },
                "B2C_1_ropc": { "kind": "resourceOwner" }
              },
              "apis": {
                "hello": {
                  "baseUrl": "http://localhost:8480/api/hello",
                  "scopes": ["https://contoso.onmicrosoft.com/hello/demo.read"]
                }
              }
            }
          }
        }
        """
}
