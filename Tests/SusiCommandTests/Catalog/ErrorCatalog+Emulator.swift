import Susi
import SusiEmulator

@testable import SusiCommand

/// Errors of commands that run the emulator.
extension ErrorCatalog {
    mutating func addEmulator() {
        section("Emulator")
        let errors: [EmulatorError] = [
            .fileUnsafe(
                path: "~/susi/emulator", reason: "other users may write to it",
                repair: "chmod go-w ~/susi/emulator"),
            .fileUnsafe(
                path: "~/susi/emulator", reason: "it belongs to another user (user ID 1001)", repair: nil),
            .portTaken(8480), .addressUnusable("256.0.0.1", reason: "what the system reports"),
            .cannotListen(port: 80, reason: "permission denied"),
            .folderUnusable(path: "~/susi/emulator", reason: "permission denied"),
            .databaseUnusable(path: "~/susi/emulator/users.sqlite", reason: "file is not a database"),
            .usersUnusable(path: "users.jsonl", line: 3, reason: "expected a value"),
            .usersUnusable(path: "users.jsonl", line: nil, reason: "no such file"),
            .templateUnusable(path: "page.html", policy: "B2C_1_susi", reason: "no place for the form"),
            .policiesUnusable(path: "policies", lines: ["policies/SignUp.xml:14: error: an error of the check"]),
            .certificateUnusable(path: "~/susi/emulator/ca.key"),
            .ownCertificateUnusable(path: "idp.pem", reason: "it contains no certificate in PEM"),
        ]
        for error in errors {
            // A new case needs an example above.
            switch error {
            case .portTaken, .addressUnusable, .cannotListen, .folderUnusable, .databaseUnusable,
                .usersUnusable, .templateUnusable, .policiesUnusable, .certificateUnusable, .ownCertificateUnusable,
                .fileUnsafe:
                add(SusiError(error))
            }
        }
        add(CloudRun.unusable("it is a SOCKS proxy"))
        add(TenantOptions.callsElsewhere("tenants.json"))
        add(PolicyFiles.notAFolder("Base.xml"))
        add(PolicyFiles.none(in: "policies"))
        add(PolicyFiles.tooLarge("policies"))
        add(PolicyFiles.severalPolicies("B2C_1A_SignUp", ["a/SignUp.xml", "b/SignUp.xml"], in: "policies"))
    }
}
