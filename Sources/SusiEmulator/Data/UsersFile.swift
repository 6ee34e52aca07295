import FoundationEssentials
import SystemPackage

/// A file with users, one JSON object in each line (see ``TenantConfiguration/usersFile``). It is read line by line, so
/// that a hundred thousand of them take no memory.
struct UsersFile {
    let path: FilePath

    private struct Line: Decodable {
        let email: String
        var objectId: String?
        var password: String?
        var passwordHash: Hash?
        var displayName: String?
        var givenName: String?
        var surname: String?
    }

    private struct Hash: Decodable {
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
            try body(try user(line, number, decoder))
        }
    }

    private func user(_ text: Data, _ number: Int, _ decoder: JSONDecoder) throws -> SeededUser {
        let problem = { (reason: String) in
            EmulatorError.usersUnusable(path: path.string, line: number, reason: reason)
        }
        guard let line = try? decoder.decode(Line.self, from: text), line.email.contains("@") else {
            throw problem("expected a JSON object with “email”")
        }
        if let id = line.objectId, UUID(uuidString: id) == nil { throw problem("“objectId” is no GUID") }
        if let hash = line.passwordHash?.hash, hash.count != 32 {
            throw problem("“hash” has \(hash.count) bytes, not 32")
        }
        let local = String(line.email.prefix { $0 != "@" })
        let names = [line.givenName, line.surname].compactMap(\.self).joined(separator: " ")
        var user = SeededUser(
            objectID: line.objectId ?? derivedGUID(line.email.lowercased()), email: line.email,
            password: line.password ?? SeededUser.usualPassword,
            displayName: line.displayName ?? (names.isEmpty ? local : names), givenName: line.givenName ?? local,
            surname: line.surname ?? "")
        user.passwordHash = line.passwordHash.map { PasswordHash(salt: Array($0.salt), hash: Array($0.hash)) }
        return user
    }
}
