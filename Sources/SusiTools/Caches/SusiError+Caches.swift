import Susi

// Errors of imports and exports.
extension SusiError {
    static let nothingToExport = SusiError(
        .unknownAccount, "nothing was exported", why: "no account is signed in",
        next: .signIn())

    static func fileNamesOther(_ match: ImportPlan.Match, than person: Person) -> SusiError {
        let named = match.entry.objectID ?? match.key.handle.uid
        let isOtherTenant = named == person.subject
        return SusiError(
            .differentPerson, "the token belongs to another person",
            why: "the file names \(named)\(isOtherTenant ? " of \(match.key.handle.utid)" : ""), the server names "
                + "\(person.subject)\(isOtherTenant ? " of \(person.tenant.id)" : ""); nothing was stored",
            next: .signIn(match.policy.name))
    }

    static func noRealm(of label: String) -> SusiError {
        SusiError(
            .failed, "nothing was exported",
            why: "the id token of \(label) names no tenant and no policy (tid, tfp, acr), as MSAL.js expects")
    }
}
