import FoundationEssentials
import SusiBase
import SusiPolicies
import SystemPackage

/// A file with users, one JSON object per line, with the keys of a user in a ``TenantFile`` or of Microsoft Graph. It is read line by line,
/// so that 100,000 users are not all in memory.
struct UsersFile {
    let path: FilePath
    let tenant: TenantConfiguration

    func forEach(_ body: (User) throws -> Void) throws {
        var rest: Data
        do { rest = try Data(contentsOf: URL(filePath: path.string), options: .mappedIfSafe) } catch {
            let why = SmallFile.exists(path.string) ? "the file cannot be read" : "there is no such file"
            throw EmulatorError.usersUnusable(path: path.string, line: nil, reason: why)
        }
        rest = rest.withoutByteOrderMark
        let (shape, check) = (User.entries.shape(), SchemaCheck(file: path.string))
        let reader = FileReader(file: path.string, folder: path.removingLastComponent().string)
        var number = 0
        while !rest.isEmpty {
            number += 1
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest.dropFirst(line.count + 1)
            guard line.contains(where: { $0 > 0x20 }) else { continue }
            let user: User
            do {
                let read = try JSONNode(parsing: line)
                let node = read["identities"] == nil ? read : try GraphUsers.translated(read)
                try check.check(node, shape)
                user = try User(node, of: tenant, reader)
            } catch let error as PolicyFileError {
                throw EmulatorError.usersUnusable(path: path.string, line: number, reason: error.reason)
            } catch let error as AdminProblem {
                throw EmulatorError.usersUnusable(path: path.string, line: number, reason: error.detail)
            } catch let error as JSONSyntaxError {
                throw EmulatorError.usersUnusable(path: path.string, line: number, reason: error.problem)
            }
            do { try body(user) } catch let error as SeededTwice {
                throw EmulatorError.usersUnusable(
                    path: path.string, line: number, reason: "duplicate name “\(error.name)”")
            }
        }
    }
}
