import HTTPTypes
import SusiBase
package import SystemPackage

/// Tells that the emulator answers: for the health checks of containers, under any host name, and not logged.
package enum Health {
    package static let path = "/health"

    /// Returns `nil` for another path or method.
    static func response(to context: RequestContext, of site: Site) throws -> Response? {
        guard context.path == path, context.method == .get else { return nil }
        return .json(["status": "ok", "emulator": .string(site.secret?.identifier ?? "")])
    }

    /// The name of the emulator that answered; `nil` for another server.
    package static func emulator(in response: [UInt8]) -> String? {
        (try? JSONNode(parsing: response))?["emulator"]?.string
    }

    /// The name of the emulators that use a folder; `nil` if none has used it.
    package static func emulator(of folder: FilePath) throws -> String? {
        try AdminSecret.kept(in: folder).map(AdminSecret.identifier)
    }
}
