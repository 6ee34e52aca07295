import ArgumentParser

/// The command that `exec` runs: everything from the first word that is not an option of `exec`. A `--` before it is
/// accepted; it is needed only if the command's name starts with a dash.
enum PassedCommand {
    /// The command with its arguments.
    static func words(_ captured: [String]) -> [String] {
        captured.first == "--" ? Array(captured.dropFirst()) : captured
    }

    /// Throws if there is no command. Handles unknown options too, because the parser captures them as words.
    static func validate(_ captured: [String], of type: any ParsableCommand.Type) throws {
        try showRequested(captured, of: type)
        if let option = captured.first, option.hasPrefix("-"), option != "--" {
            throw ValidationError("unknown option “\(option)”")
        }
        if words(captured).isEmpty { throw ValidationError("missing command to run") }
    }

    /// Shows requested help and the version, which the parser captures as words.
    static func showRequested(_ captured: [String], of type: any ParsableCommand.Type) throws {
        if ["-h", "--help"].contains(captured.first) { throw CleanExit.helpRequest(type) }
        if captured.first == "--version" { throw CleanExit.message(Root.configuration.version) }
    }
}
