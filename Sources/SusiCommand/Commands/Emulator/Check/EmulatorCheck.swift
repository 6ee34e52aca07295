import ArgumentParser
import Susi
import SusiEmulator
import SusiJourneys

extension EmulatorCommand {
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check a folder of custom policies before an upload.",
            discussion: """
                  susi emulator check policies
                  susi emulator check policies --settings ApiUrl=http://localhost:5000

                Names every mistake that an upload to Azure AD B2C would name one by one, with file and line. Needs no tenant and \
                sends nothing. The exit code is 1 if an upload would fail.
                """)

        @OptionGroup var output: JSONOption

        @Flag(name: [.short, .long], help: "Also print what susi does not run, and files that are no policies")
        var verbose = false

        @OptionGroup(title: "Policy options") var options: PolicyFolderOptions

        @Argument(help: ArgumentHelp("Folder with policy files", valueName: "folder"), completion: .directory)
        var folder: String

        func run() async throws {
            let files = try PolicyFiles.named(folder)
            let check = FolderCheck(files.sources, options.values)
            guard !check.policies.isEmpty || !check.findings.isEmpty else { throw PolicyFiles.none(in: files.folder) }
            let report = FolderCheckReport(check: check, folder: files.folder, isVerbose: verbose)
            try Console.standard.show(report, json: output.json)
            if !check.refused.isEmpty { throw CommandEnded(code: .failed) }
        }
    }
}

/// The values for `{Settings:NAME}` in the files of a folder of policies.
struct PolicyFolderOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Environment of the folder's appsettings.json", valueName: "name"))
    var environment: String?

    @Option(
        help: ArgumentHelp("Value for {Settings:KEY} in the policies; repeatable", valueName: "key=value"),
        transform: Setting.init)
    var settings: [Setting] = []

    /// A name and its value.
    struct Setting {
        let name: String
        let value: String

        init(_ text: String) throws {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { throw ValidationError("expected KEY=VALUE") }
            (name, value) = (String(parts[0]), String(parts[1]))
        }
    }

    var values: PolicyOptions {
        PolicyOptions(
            environment: environment, values: Dictionary(settings.map { ($0.name, $0.value) }) { $1 })
    }
}
