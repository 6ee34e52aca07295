import Crypto
import CryptoExtras
import Foundation
import SusiSQLite
import SystemPackage

/// The files of one `glewlwyd` in one folder: configuration, database, web application.
///
/// The installed configuration and its database are not changed; Debian's files are read from these paths.
struct GlewlwydFolder {
    private static let schema = FilePath("/usr/share/dbconfig-common/data/glewlwyd/install/sqlite3")
    private static let webApplication = FilePath("/usr/share/glewlwyd/webapp")
    private static let webSettings = FilePath("/usr/share/glewlwyd/templates/config.json")
    private static let modules = FilePath("/usr/lib/glewlwyd")

    let port: UInt16
    let redirectPort: UInt16
    let algorithm: Glewlwyd.Algorithm

    var origin: String { "http://localhost:\(port)" }

    /// Writes all files and returns the configuration file.
    func prepare(in folder: FilePath) async throws -> FilePath {
        let (pages, database) = (folder.appending("webapp"), folder.appending("glewlwyd.sqlite"))
        try await copyPages(to: pages)
        try fillDatabase(at: database)
        let file = folder.appending("glewlwyd.conf")
        try file.write(configuration(pages, database), mode: 0o600)
        return file
    }

    // The server serves no file behind a symbolic link, and Debian's folder is full of them. The link to the settings leads
    // to a folder (2.7.5-3), so the settings come from the template.
    private func copyPages(to pages: FilePath) async throws {
        let copy = Program("/bin/cp", ["--recursive", "--dereference", Self.webApplication.string, pages.string])
        let copied = try await copy.run()
        guard copied.status == 0 else { throw Glewlwyd.Failure(description: "cp: \(copied)") }
        let settings = pages.appending("config.json")
        try FileManager.default.removeItem(atPath: settings.string)
        try FileManager.default.copyItem(atPath: Self.webSettings.string, toPath: settings.string)
    }

    // The external address ends in a slash, as in Debian's file: the endpoints are then at `http://localhost:PORT//api`.
    private func configuration(_ pages: FilePath, _ database: FilePath) -> String {
        """
        port=\(port)
        bind_address="127.0.0.1"
        external_url="\(origin)/"
        login_url="login.html"
        api_prefix="api"
        static_files_path="\(pages.string)/"
        static_files_mime_types=(
          { extension=".html"; mime_type="text/html"; },
          { extension=".css"; mime_type="text/css"; },
          { extension=".js"; mime_type="application/javascript"; },
          { extension=".json"; mime_type="application/json"; }
        )
        log_mode="console"
        log_level="INFO"
        cookie_secure=0
        cookie_same_site="lax"
        session_expiration=2419200
        session_key="GLEWLWYD2_SESSION_ID"
        admin_scope="g_admin"
        profile_scope="g_profile"
        user_module_path="\(Self.modules.appending("user").string)"
        client_module_path="\(Self.modules.appending("client").string)"
        user_auth_scheme_module_path="\(Self.modules.appending("scheme").string)"
        plugin_module_path="\(Self.modules.appending("plugin").string)"
        hash_algorithm="SHA256"
        database={ type="sqlite3"; path="\(database.string)"; };

        """
    }

    private func fillDatabase(at path: FilePath) throws {
        let connection = try Connection(path: path.string)
        try connection.executeScript(try String(contentsOfFile: Self.schema.string, encoding: .utf8))
        try connection.write {
            try addPerson(connection)
            try addClient(connection)
            try connection.execute(
                "INSERT INTO g_plugin_module_instance (gpmi_module, gpmi_name, gpmi_parameters) VALUES ('oidc', 'oidc', ?)",
                [.text(try providerParameters())])
        }
    }

    // Ana becomes the administrator, whose password hash is in the schema; this server has no other administrator.
    private func addPerson(_ connection: Connection) throws {
        let ana = Glewlwyd.ana
        try connection.execute(
            "UPDATE g_user SET gu_username = ?, gu_name = ?, gu_email = ?",
            [.text(ana.userName), .text(ana.name), .text(ana.email)])
        try connection.execute("DELETE FROM g_user_scope_user")
        for scope in ["openid", Glewlwyd.scope] {
            try connection.execute("INSERT INTO g_user_scope (gus_name) VALUES (?)", [.text(scope)])
            try connection.execute("INSERT INTO g_user_scope_user (gu_id, gus_id) VALUES (1, last_insert_rowid())")
        }
        try connection.execute(
            "INSERT INTO g_scope (gs_name, gs_display_name) VALUES (?, 'Read the demo')", [.text(Glewlwyd.scope)])
    }

    private func addClient(_ connection: Connection) throws {
        try connection.execute(
            "INSERT INTO g_client (gc_client_id, gc_name) VALUES (?1, ?1)", [.text(Glewlwyd.clientID)])
        let redirect = "http://localhost:\(redirectPort)/"
        let properties = [
            ("redirect_uri", redirect), ("post_logout_redirect_uris", redirect), ("authorization_type", "code"),
            ("authorization_type", "refresh_token"), ("authorization_type", "device_authorization"),
            ("token_endpoint_auth_method", "none"),
        ]
        for (name, value) in properties {
            try connection.execute(
                "INSERT INTO g_client_property (gc_id, gcp_name, gcp_value) VALUES (1, ?, ?)",
                [.text(name), .text(value)])
        }
        // Debian's schema has the older name of this list.
        try connection.execute(
            """
            UPDATE g_client_module_instance SET gcmi_parameters = json_set(gcmi_parameters,
            '$."data-format".post_logout_redirect_uris', json('{"multiple":true,"read":true,"write":true}'))
            """)
    }

    private func providerParameters() throws -> String {
        let keys = try keyPair()
        let parameters: JSONValue = [
            "name": "oidc", "iss": .string(Glewlwyd.issuer(at: origin)),
            "jwt-type": .string(algorithm.rawValue), "jwt-key-size": "256",
            "key": .string(keys.private), "cert": .string(keys.public), "jwks-show": true,
            "code-duration": 600, "access-token-duration": 3600, "refresh-token-duration": 1_209_600,
            "refresh-token-rolling": true, "refresh-token-one-use": "always", "auth-type-code-revoke-replayed": true,
            "allow-non-oidc": false, "auth-type-code-enabled": true, "auth-type-refresh-enabled": true,
            "auth-type-device-enabled": true, "device-authorization-expiration": 600,
            "device-authorization-interval": 1,
            "pkce-allowed": true, "pkce-required": true, "oauth-as-iss-id": true,
            "subject-type": "public", "name-claim": "mandatory", "email-claim": "mandatory",
            "session-management-allowed": true, "session-cookie-name": "GLEWLWYD2_OIDC_SID",
            "session-cookie-expiration": 2_419_200,
            "introspection-revocation-allowed": true, "introspection-revocation-allow-target-client": true,
        ]
        return String(decoding: try JSONEncoder().encode(parameters), as: UTF8.self)
    }

    private func keyPair() throws -> (private: String, public: String) {
        switch algorithm {
        case .rs256:
            let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
            return (key.pemRepresentation, key.publicKey.pemRepresentation)
        case .es256:
            let key = P256.Signing.PrivateKey()
            return (key.pemRepresentation, key.publicKey.pemRepresentation)
        }
    }
}
