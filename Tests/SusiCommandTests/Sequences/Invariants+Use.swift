import Foundation
import Susi
import SusiBase
import SusiPolicies
import SusiTestSupport

// What commands do with the accounts of a state.
extension Invariant {
    static func tokenIsOfCurrent(_ state: Observed) async throws -> [String] {
        var wrong: [String] = []
        for application in state.distinctApplications {
            for policy in application.policies.map(\.name.spelling) where application.keeps(policy) {
                let own = state.owned(by: application).filter { $0.policy == policy }
                // Without accounts, other policies and other states change nothing in the response.
                if own.isEmpty, !state.isBeginning { continue }
                let current = own.first(where: \.isCurrent)
                let run = try await state.says("token --json -A \(application.name) -p \(policy)")
                let claims = run.status == 0 ? claims(of: run.json?["accessToken"]?.string) : nil
                if claims?["sub"]?.string != current?.subject || claims.map({ $0["tfp"]?.string != policy }) ?? false
                    || current == nil && ![4, 5].contains(run.status)
                {
                    wrong.append("current is \(current?.name ?? "none")\n\(run)")
                }
            }
        }
        return wrong
    }

    private static func claims(of token: String?) -> JSONNode? {
        guard let parts = token?.split(separator: "."), parts.count == 3, let bytes = Base64URL.decode(String(parts[1]))
        else {
            return nil
        }
        return try? JSONNode(parsing: bytes)
    }

    static func exportsOwnRows(_ state: Observed) async throws -> [String] {
        guard let application = state.application, !state.rows.accounts.isEmpty else { return [] }
        let own = state.owned(by: application).filter { $0.tokens.contains("refresh") }
        let run = try await state.says("export --format msal --all --yes")
        let written = run.json?["Account"].map(\.members) ?? []
        return written.count == own.count ? [] : ["\(own.count) accounts have a refresh token\n\(run)"]
    }

    static func refusesPoliciesWithoutAccounts(_ state: Observed) async throws -> [String] {
        guard state.isBeginning, let application = state.application else { return [] }
        var wrong: [String] = []
        for policy in application.policies where !application.keeps(policy.name.spelling) {
            let verb = policy.kind == .editProfile ? "edit-profile" : "reset-password"
            for command in [
                "token", "sign-in", "switch -", "sign-out --yes", "accounts", "call hello", "export --format msal",
            ] {
                let run = try await state.says("\(command) -p \(policy.name)")
                let next = Hint.all(in: run.messages)
                if run.status != 5 || next.isEmpty || !next.contains(where: { $0.words.first == verb }) {
                    wrong.append("\(run)")
                }
            }
            let status = try await state.says("status -p \(policy.name)")
            if status.status != 0 || !Hint.all(in: status.output).contains(where: { $0.words.first == verb }) {
                wrong.append("\(status)")
            }
        }
        return wrong
    }

    static func everyRowCanBeRemoved(_ state: Observed) async throws -> [String] {
        var wrong: [String] = []
        for row in state.rows.accounts {
            let place =
                state.file.owner(of: row).map { "-A \($0.name)" }
                ?? "--client-id \(row.clientID) --authority \(row.authority)"
            let run = try await state.says("remove \(row.label) -p \(row.policy) \(place) --dry-run --json")
            let removed = run.json?["removed"]?.array ?? []
            let isOnly = removed.count == 1 || state.rows.isShared && removed.count == state.rows.accounts.count
            if !isOnly || !removed.contains(where: { $0["subject"]?.string == row.subject }) {
                wrong.append("\(row.name)\n\(run)")
            }
        }
        return wrong
    }
}

extension JSONNode {
    /// The members of an object.
    var members: [Member] { if case .object(let members) = value { members } else { [] } }
}
