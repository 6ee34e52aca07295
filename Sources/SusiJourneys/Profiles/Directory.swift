import SusiBase

extension JourneyRun {
    private static let operations: [String: DirectoryCall.Operation] = [
        "read": .read, "write": .write, "deleteclaims": .deleteClaims, "deleteclaimsprincipal": .deleteUser,
    ]

    private static let keys: Set<String> = [
        "objectid", "alternativesecurityid", "useridentities", "identities", "userprincipalname", "mail", "signinnames",
    ]

    /// Reads, writes or removes a user (active-directory-technical-profile, spec §7.1).
    mutating func directory(_ profile: Profile, _ inputs: Inputs) throws -> Need? {
        guard let operation = Self.operations[profile.metadata("Operation")?.lowercased() ?? ""] else {
            throw Failure.policy(
                "the metadata Operation is none of Read, Write, DeleteClaims, DeleteClaimsPrincipal", profile)
        }
        guard let key = inputs.list.first else { throw Failure.policy("no input claim has a value", profile) }
        guard Self.keys.contains(key.name.lowercased()) || key.name.lowercased().hasPrefix("signinnames.") else {
            throw Failure.policy("“\(key.name)” cannot be the key of a user", profile)
        }
        var call = DirectoryCall(
            operation: operation, key: key.name, value: key.value.json,
            raisesIfMissing: profile.isTrue("RaiseErrorIfClaimsPrincipalDoesNotExist"),
            raisesIfExists: operation == .write && profile.isTrue("RaiseErrorIfClaimsPrincipalAlreadyExists"))
        call.attributes = try attributes(of: profile, key: key.name, operation)
        let missing = Failure.message(
            message("UserMessageIfClaimsPrincipalDoesNotExist", of: profile), code: "AADB2C90053")
        let exists = Failure.message(
            message("UserMessageIfClaimsPrincipalAlreadyExists", of: profile), code: "AADB2C90001")
        return ask(.directory(call), profile) { [call] answer in
            switch answer {
            case .directory(.user(let attributes, let isNew)):
                return Self.values(attributes, isNew: operation == .write ? isNew : nil)
            case .directory(.missing) where call.raisesIfMissing: throw missing
            case .directory(.missing): return { _ in nil }
            case .directory(.exists): throw exists
            case .directory(.refused(let text)): throw Failure.message(text, code: "AADB2C90037")
            default: throw Journey.UnexpectedAnswer()
            }
        }
    }

    private func attributes(
        of profile: Profile, key: String, _ operation: DirectoryCall.Operation
    ) throws -> [String: JSONNode] {
        guard operation == .write || operation == .deleteClaims else { return [:] }
        // Attributes to remove need no value.
        let persisted = try inputs(profile.persistedClaims, of: profile).json
        let names = profile.persistedClaims.map { name(of: $0, profile) }
        let all = operation == .write ? persisted : Dictionary(names.map { ($0, JSONNode(value: .null)) }) { $1 }
        let kept = ["objectid"] + (operation == .deleteClaims ? [key.lowercased()] : [])
        return all.filter { !kept.contains($0.key.lowercased()) }
    }

    private static func values(_ attributes: [String: JSONNode], isNew: Bool?) -> PartyValues {
        let byName = Dictionary(attributes.map { ($0.key.lowercased(), $0.value) }) { $1 }
        return { name in
            if name.lowercased() == "newclaimsprincipalcreated" { return isNew.map { JSONNode(value: .bool($0)) } }
            return byName[name.lowercased()].flatMap { $0.value == .null ? nil : $0 }
        }
    }
}
