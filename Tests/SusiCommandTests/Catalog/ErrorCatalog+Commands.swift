import Foundation
import Susi
import SusiTestSupport
import SystemPackage

/// Errors that only a run of the program shows: invalid options, missing files, unknown names.
extension ErrorCatalog {
    /// Arguments that cannot be parsed, and unknown names.
    private static let commands: [[String]] = [
        ["sing-in"], ["sigin"], ["acc"], ["logn"], ["versio"], ["signout", "--all"], ["toke", "hello", "-p", "a b"],
        ["help", "tokn"], ["inspec", String(repeating: "x", count: 65)],
        ["token", "hello", "--polcy", "a b"], ["policies", "--josn"], ["login", "--divice"],
        ["help", "remove", "--person"],
        ["policies", "lst"], ["sign", "in", "-p", "P"], ["log", "out"], ["edit", "profile"],
        ["help", "reset", "password"],
        ["use", "ana"], ["list"], ["rm", "ana", "--person"], ["account", "list", "--json"],
        ["emulator", "start", "--tls"], ["emulator", "stop"],
        ["logout", "ana"], ["edit-profile", "ana"], ["sign-out", "ana", "ben"], ["sign-out", "--browser", "./b.py"],
        ["reset-password", "-a", "ana"], ["policies", "check", "-a"], ["remove", "-a", "ana"], ["nothing-like-it"],
        ["accounts", "--jason"],
        ["accounts", "--xyzzy"],
        ["-A", "local", "status", "--application", "local"], ["-v", "--verbose", "status"],
        ["--config=a", "exec", "--config", "b", "ls"], ["status", "--user", "x"], ["sign-in", "--password", "x"],
        ["emulator", "--port", "0"], ["token", "-f", "x"], ["token", "--bogus", "-p"], ["exec", "--bogus", "ls"],
        ["accounts", "--limit", "0"], ["accounts", "--limit", "many"], ["accounts", "--limit"],
        ["token", "--min-valid", "5x"], ["compare"],
        ["describe"],
        ["sign-in", "a", "b"],
        ["sign-in", "--prompt", "logim"], ["sign-in", "ana", "-a", "ben"], ["sign-in", "--password-stdin"],
        ["doctor", "sign-in"], ["doctor", "--record", "FILE", "doctor"],
        ["sign-in", "--username", ""], ["sign-in", "--device", "--username", "ana"],
        ["sign-in", "--device", "--port", "1"], ["sign-in", "--code-command", "true"],
        ["sign-in", "--username", "ana", "--code-command", " "],
        ["sign-in", "--response-mode", "fragment"], ["sign-in", "--ui-locales", "ja;en"],
        ["sign-in", "--extra", "state=1"], ["sign-in", "--id-token-hint", "eyJ"],
        ["sign-in", "--id-token-hint", "@/dev/null"],
        ["sign-in", "--extra", "redirect_uri=https://evil.example"], ["sign-in", "--extra", "Domain_Hint=x"],
        ["sign-in", "--ui-locales", " "], ["sign-in", "--max-age", "soon"],
        ["sign-in", "--username", "a", "--extra", "a=b"], ["sign-in", "--username", "a", "--prompt", "login"],
        ["sign-in", "--extra", "prompt=login"], ["sign-in", "--extra", "a"],
        ["sign-in", "--extra", "a=1", "--extra", "a=2"],
        ["sign-in", "--browser", ""], ["sign-in", "--no-browser", "--browser", "x"],
        ["sign-in", "--claims", "[]"], ["sign-in", "--username", "ana"], ["sign-in", "--device"],
        ["token", "hello", "--resource", "https://graph.microsoft.com"],
        ["token", "--resource", "https://graph.microsoft.com", "--scope", "x"], ["token", "--resource", ""],
        ["token", "--id", "--scope", "x"], ["import", "-", "-p", "x"],
        ["import", "-", "--from", "refresh-token", "--dry-run"], ["import", "/dev/null", "--from", "refresh-token"],
        ["token", "--tenant", "common"], ["token", "--tenant", "a.example"],
        ["token", "--rehearse"], ["emulator", "ready", "--shell", "--json"],
        ["call", "hello", "--curl", "--dry-run"], ["call", "hello", "--sign-in", "--dry-run"],
        ["call", "hello", "-X", "GTE"],
        ["call"], ["call", "a", "b", "c", "d"], ["call", "hello", "-H", "x"],
        ["call", "hello", "-H", "Authorization: x"],
        ["call", "hello", "-H", "X: a\u{1}b"],
        ["exec"], ["exec", "--", "no-such-command"], ["exec", "--env", "PATH", "--", "ls"],
        ["exec", "--env", "1", "--", "ls"],
        ["export", "--format", "msal", "--all", "-a", "ana"], ["export", "--format", "susi", "--all"],
        ["export", "--format", "msal", "--passphrase-file", "x"], ["export", "--format", "msal-browser", "--all"],
        ["inspect", "--for-api", "x", "--audience", "y"], ["inspect", "--section", "x"],
        ["inspect", "--for-api", "@x"],
        ["inspect", "--audience", "x"],
        ["export", "--format", "playwright"], ["export", "--format", "msal", "--origin", "http://localhost"],
        ["export", "--format", "playwright", "--origin", "localhost:5173"],
        ["remove", "ana", "--person", "-p", "B2C_1_susi"], ["remove", "ana", "--authority", "https://x"],
        ["sign-out", "--all", "-a", "ana"], ["sign-out", "--browser-only", "--all"],
        ["-A", "local"], ["-a", "ana", "token"], ["--json", "status"],
        ["sign-in", "--usrname", "ana", "--password-stdin"],
        ["store", "rekey", "--to", "keychain"], ["store", "rekey", "--to", "memory"],
        ["emulator", "exec", "--built-in", "--as-cloud", "true"], ["emulator", "exec", "--offline", "true"],
        ["emulator", "run", "--environment", "Test"],
        ["emulator", "exec", "--as-cloud", "true"],
        ["emulator", "run", "--access-token", "-5s"], ["emulator", "run", "--key", "idp.key"],
        ["emulator", "run", "--refresh-token", "0"], ["emulator", "run", "--access-token", "5 minutes"],
        ["emulator", "check", "policies", "--settings", "Tenant"],
        ["emulator", "run", "--port", "70000"], ["emulator", "run", "--listen", "localhost"],
        ["emulator", "run", "-A", "nowhere"], ["emulator", "run", "--public-url", "idp.test"],
        ["emulator", "run", "--public-url", "https://idp.test/login"],
        ["sign-in", "--claims", "{"], ["sign-in", "--claims", "@missing.json"],
        ["call", "hello", "-H", "@secret: x"], ["call", "hello", "-H", ":X: a"], ["call", "hello", "-H", "X A: x"],
        ["call", "POST", "hello", "-H", "Content-Length: 5"],
        ["call", "POST", "hello", "-H", "transfer-encoding: chunked"],
        ["call", "HEAD", "hello", "-d", "x", "--curl"],
        ["exec", "--env", "A=B", "true"], ["exec", "--env", "PATH", "true"], ["exec", "--env", "LD_PRELOAD", "true"],
        ["exec", "--env", "SUSI_HOME", "true"],
        ["policies", "trust", "--remove", "--list"],
        ["explain"], ["explain", ""], ["explain", "what now"], ["explain", "AADB2C90119"], ["explain", "invalid_grnt"],
        ["explain", "99999"], ["explain", "IDX99999: x"],
        ["explain", "http://localhost:8400/?code=secret-code&state=secret-state"],
        ["status", "-A", "lokal"], ["token"], ["token", "-p", "B2C_1_suis"], ["call", "helo"], ["switch", "-"],
        ["switch", "-", "--person"], ["switch", "ana", "-p", "susi", "--person"], ["switch", "ana"],
        ["sign-out", "--yes"], ["remove", "ana"], ["edit-profile"], ["reset-password"], ["emulator", "export"],
        ["emulator", "trust"], ["emulator", "ready"], ["store", "unlock"], ["store", "check"],
        ["inspect", "--authority", "there", "--audience", "x"],
        ["inspect", "--authority", "https://a.example/b", "--audience", "x", "--offline"],
        ["inspect", "eyJhbGciOiJub25lIn0.e30."], ["policies", "explain", "not an address"],
        ["status", "--config", "nowhere.json"],
    ]

    /// Commands that look into the working folder or read standard input, a topic of the help, and errors as JSON.
    private static let commandsOfFiles: [[String]] = [
        ["help", "environment", "SUSI_HOME"], ["doctor", "--record", "FILE", "--json"],
        ["token", "--json", "-f", "raw"], ["emulator", "trust", "--pem", "--json"],
        ["export", "-o", "out.json"], ["export", "--format", "susi", "-o", "out.susi"], ["policies", "trust"],
        ["store", "backup", "there.json"], ["import", "nowhere"], ["inspect", "@nowhere"],
        ["inspect", "-", "--for-api", "large"], ["inspect", "-"], ["inspect", "@large"],
        ["inspect", "there.json"], ["import", "there.json"],
        ["import", "."], ["call", "hello", "-d", "@."], ["call", "hello", "-d", "@nowhere", "--curl"],
        ["sign-in", "--claims", "@."],
        ["call", "hello", "-d", "@nowhere"], ["call", "hello", "-o", "there.json"],
        ["init", "nowhere"], ["init", "there.json"], ["init", "large"],
        ["init"], ["init", "there.json", "--kind", "b2b"], ["init", "applications.json"], ["init", "tenants.json"],
        ["init", "applicatons.json"], ["init", "unclear.ts"], ["init", "host.json"], ["init", "placeholder.json"],
        ["init", "scopes.json"], ["init", "server.json"], ["init", tenant, "--tenant", "x"],
        ["init", "host.json", "applicatons.json"], ["init", "host.json", "--copy", "./host.json"],
        ["init", "host.json", "-o", "there.json", "--copy", "tenants.json"],
        ["init", "https://login.microsoftonline.com/YOUR_TENANT", "--client-id", InitSource.id],
        ["init", "page.ts"], ["init", "policy.xml"], ["init", "."], ["init", "Info.plist"],
        ["init", "https://jwt.ms/#id_token=x"], ["init", "https://portal.azure.com/#home"],
        ["init", "contoso.onmicrosoft.com"], ["init", "\(tenant)/B2C_1_susi", "--client-id", "my-app"],
        ["init", tenant, "--client-id", InitSource.id, "--policy", "susi"],
        ["init", "http://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi", "--client-id", InitSource.id],
        ["emulator", "run", "--listen", "203.0.113.7", "--port", "0"],
    ]

    private static let tenant = "https://contoso.b2clogin.com/contoso.onmicrosoft.com"

    /// Settings of other programs that describe more than one application or tenant, or that cannot be read.
    private static let settings = [
        "applications.json":
            #"{"auth": {"clientId": "\#(InitSource.id)"}, "msal": {"clientId": "\#(InitSource.otherID)"}}"#,
        "tenants.json": """
        {"authority": "https://a.b2clogin.com/a.onmicrosoft.com/B2C_1_susi", "issuer": "https://b.b2clogin.com/b.onmicrosoft.com/B2C_1_other_susi"}
        """, "Info.plist": "bplist00\u{0}",
        "page.ts": "const clientId = '\(InitSource.id)', authority = '\(tenant)/B2C_1_susi'\n",
        "policy.xml": "<TrustFrameworkPolicy PolicyId=\"B2C_1A_signin\" />",
        "unclear.ts": "const clientId = process.env.CLIENT_ID\nconst authority = `https://${tenant}.b2clogin.com`\n",
        "host.json": #"{"clientId": "\#(InitSource.id)", "instance": "https://contoso.b2clogin.com"}"#,
        "placeholder.json": """
        {"clientId": "44444444-4444-4444-4444-444444444444", "authority": "https://a.b2clogin.com/a.onmicrosoft.com/B2C_1_susi"}
        """,
        "scopes.json": """
        {"clientId": "\(InitSource.id)", "authority": "https://login.microsoftonline.com/common", "DownstreamApi":
          {"BaseUrl": "https://a.example", "Scopes": ["User.Read", "https://management.azure.com/user_impersonation"]}}
        """,
        "server.json":
            #"{"AzureAd": {"Authority": "\#(tenant)/B2C_1_susi", "ClientId": "\#(InitSource.id)", "ClientSecret": "s"}}"#,
    ]

    /// Applications of kinds that need no policies.
    private static let kinds = """
        {"current": "customers", "applications": {
          "customers": {"kind": "external", "authority": "http://localhost:1/customers.example", "clientId": "client"},
          "work": {"kind": "entra", "authority": "http://localhost:1/work.example", "clientId": "client",
            "policies": {
              "default": {"kind": "signUpOrSignIn", "default": true},
              "partner": {"kind": "signUpOrSignIn", "authority": "http://localhost:1/partner.example"}
            }}
        }}
        """

    mutating func addCommands() async throws {
        section("Commands")
        // A port without a listener.
        let policies = PoliciesFile.withoutPasswordsText.replacing("8480", with: "1")
        try await withSusi(policies: policies) { susi in
            let folder = URL(filePath: susi.home.workingFolder.string)
            try Data("{}".utf8).write(to: folder.appending(path: "there.json"))
            try Data(count: 20 << 20).write(to: folder.appending(path: "large"))
            for (name, text) in Self.settings { try Data(text.utf8).write(to: folder.appending(path: name)) }
            for arguments in Self.commands { try await add(susi, refusing: arguments) }
            for arguments in Self.commandsOfFiles { try await add(susi, arguments) }
            let variables = [
                ["SUSI_CLOCK": "soon"], ["SUSI_KEY_SOURCE": "magic"], ["SUSI_KEY_TIMEOUT": "soon"],
                ["SUSI_PASSPHRASE_FILE": "nowhere", "SUSI_KEY_SOURCE": "passphrase"], ["SUSI_KEY_SOURCE": "passphrase"],
            ]
            for environment in variables { try await add(susi, refusing: ["sign-in", "--no-browser"], environment) }
            // It makes a store.
            try await add(susi, refusing: ["sign-in"])
            try await add(susi, refusing: ["status"], ["HOME": "", "SUSI_HOME": ""])
            try await add(susi, refusing: ["status"], ["HOME": "relative", "SUSI_HOME": ""])
            try await add(susi, refusing: ["status"], ["SUSI_HOME": "relative"])
            let exec = #"{"apiVersion":"client.authentication.k8s.io/v9","kind":"ExecCredential","spec":{}}"#
            try await add(susi, refusing: ["token", "-f", "exec-credential"], ["KUBERNETES_EXEC_INFO": exec])
            let found = PoliciesFile.builtInText.replacing("http://localhost:8480", with: "https://login.example")
            try susi.home.writePolicies(found.replacing("\"local\"", with: "\"production\""))
            try await add(susi, refusing: ["emulator", "run", "-A", "production", "--public-url", "https://idp.test"])
            try await add(susi, refusing: ["emulator", "ready", "-A", "production"])
            try susi.home.policiesFile.remove()
            try susi.home.writeLocalPolicies(found)
            try await add(susi, ["token"])
            try await add(susi, ["policies", "trust"])
            try FileManager.default.removeItem(at: folder.appending(path: "policies.json"))
            try susi.home.writePolicies(Self.kinds)
            try await add(susi, refusing: ["sign-in", "-A", "customers", "--username", "ana"])
            try await add(susi, refusing: ["sign-in", "-A", "customers", "--username", "ana", "--no-input"])
            try await add(susi, refusing: ["sign-in", "-A", "work", "--username", "ana", "--code-command", "true"])
        }
    }
}
