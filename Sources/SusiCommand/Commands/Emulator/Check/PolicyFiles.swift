import Susi
import SusiEmulator
import SusiJourneys

extension PolicyFiles {
    /// Reads the folder that a command names.
    static func named(_ name: String) throws -> PolicyFiles {
        do throws(Unusable) { return try PolicyFiles(name) } catch {
            throw switch error {
            case .unreadable(let path): UsageError.unreadable(path)
            case .noFolder(let folder): notAFolder(folder)
            case .tooLarge(let folder): tooLarge(folder)
            }
        }
    }

    /// Checks a folder that is to be served. Throws what `emulator check` prints if it has mistakes.
    static func served(_ folder: PolicyFolderSettings) throws -> (files: PolicyFiles, tenant: String) {
        let files = try named(folder.path)
        let check = FolderCheck(files.sources, folder.options)
        guard check.refused.isEmpty else {
            let report = FolderCheckReport(check: check, folder: files.folder, isVerbose: false)
            for line in report.lines(Console.standard.errStyle) { Console.standard.err(line) }
            throw CommandEnded(code: .failed)
        }
        let served = RelyingParties(files.sources, folder.options)
        guard let first = served.policies.first else { throw none(in: files.folder) }
        if let twice = served.duplicates.first {
            throw severalPolicies(twice.name, twice.paths.map(files.path), in: files.folder)
        }
        return (files, first.tenant)
    }

    static func severalPolicies(_ name: String, _ paths: [String], in folder: String) -> UsageError {
        UsageError(
            "“\(folder)” has the policy \(name) more than once", why: paths.joined(separator: ", "),
            next: "name the folder of one of them")
    }

    static func notAFolder(_ name: String) -> UsageError {
        UsageError(
            "“\(name)” is not a folder", why: "policies are checked with their bases",
            next: "name the folder that contains them")
    }

    static func none(in folder: String) -> UsageError {
        UsageError(
            "no custom policies in “\(folder)”",
            why: "none of its *.xml files has the root element TrustFrameworkPolicy",
            next: "name the folder that contains them")
    }

    static func tooLarge(_ folder: String) -> UsageError {
        UsageError(
            "“\(folder)” is too large", why: "more than \(most) files or \(largest / 1_000_000) MB of XML",
            next: "name the folder that contains the policies")
    }
}
