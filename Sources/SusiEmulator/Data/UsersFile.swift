import FoundationEssentials
import SystemPackage

/// A file with users, one JSON object in each line (see ``TenantConfiguration/usersFile``). It is read line by line, so
/// that a hundred thousand of them take no memory.
struct UsersFile {
    let path: FilePath

    /// A line of it; the admin API takes the same.
    struct Line: Decodable {
        var email: String?
        var userName: String?
        var phone: String?
        var objectId: String?
        var password: String?
        var passwordHash: Hash?
        var displayName: String?
        var givenName: String?
        var surname: String?
        var attributes: [String: String]?
        var homeTenant: String?
        var mustResetPassword: Bool?
        var isBlocked: Bool?
        var identityProvider: String?
    }

    struct Hash: Decodable {
        let salt: Data
        let hash: Data
    }

    /// Hands each user to `body`, in order.
    func forEach(_ body: (SeededUser) throws -> Void) throws {
        var rest: Data
        do { rest = try Data(contentsOf: URL(filePath: path.string), options: .mappedIfSafe) } catch {
            throw EmulatorError.usersUnusable(path: path.string, line: nil, reason: "it cannot be read")
        }
        let decoder = JSONDecoder()
        var number = 0
        while !rest.isEmpty {
            number += 1
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            guard let read = try? decoder.decode(Line.self, from: line) else {
                throw unusable(number, "expected a JSON object with “email” or “userName”")
            }
            if let problem = Self.problem(read) { throw unusable(number, problem) }
            try body(Self.user(read))
        }
    }

    private func unusable(_ number: Int, _ reason: String) -> EmulatorError {
        .usersUnusable(path: path.string, line: number, reason: reason)
    }

    /// What is wrong with a line; nil when nothing is.
    static func problem(_ line: Line) -> String? {
        if line.email == nil, line.userName == nil { return "expected a JSON object with “email” or “userName”" }
        if let email = line.email, !email.contains("@") { return "“email” has no @" }
        if let name = line.userName, name.isEmpty || name.contains("@") { return "“userName” is empty or has an @" }
        if let id = line.objectId, UUID(uuidString: id) == nil { return "“objectId” is no GUID" }
        if let hash = line.passwordHash?.hash, hash.count != 32 { return "“hash” has \(hash.count) bytes, not 32" }
        guard let provider = line.identityProvider else { return nil }
        if line.email == nil { return "a user of “\(provider)” needs an “email”" }
        return line.password == nil && line.passwordHash == nil
            ? nil : "a user of “\(provider)” has no password here"
    }

    /// The user of a line in which nothing is wrong: what it does not say follows from the name.
    static func user(_ line: Line) -> SeededUser {
        let name = line.email ?? line.userName ?? ""
        let local = String(name.prefix { $0 != "@" })
        let names = [line.givenName, line.surname].compactMap(\.self).joined(separator: " ")
        let source = line.identityProvider.map { "\($0) " } ?? ""
        var user = SeededUser(
            objectID: line.objectId ?? derivedGUID(source + name.lowercased()), email: line.email,
            userName: line.userName, password: line.password ?? SeededUser.usualPassword,
            displayName: line.displayName ?? (names.isEmpty ? local : names), givenName: line.givenName ?? local,
            surname: line.surname ?? "", homeTenant: line.homeTenant)
        user.passwordHash = line.passwordHash.map { PasswordHash(salt: Array($0.salt), hash: Array($0.hash)) }
        user.phone = line.phone
        user.attributes = line.attributes ?? [:]
        user.mustResetPassword = line.mustResetPassword ?? false
        user.isBlocked = line.isBlocked ?? false
        user.identityProvider = line.identityProvider
        return user
    }
}
