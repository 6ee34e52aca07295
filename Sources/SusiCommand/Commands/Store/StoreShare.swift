import ArgumentParser
import Susi
import SusiStartup
import SusiTools
import SystemPackage

extension StoreCommand {
    struct Share: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "share", abstract: "Let one person at a time use the store.",
            discussion: """
                  susi store share

                For machines that several people use in turn. Everything in the store then belongs to one person, whatever the \
                application: another person is refused, and every sign-out removes everything and ends the browser's session. Fails if \
                several people have accounts.
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        func run() async throws { try StoreContext(self).share(true, json: output.json) }
    }

    struct Unshare: AsyncParsableCommand, StoreSubcommand {
        static let configuration = CommandConfiguration(
            commandName: "unshare", abstract: "Let several people use the store.",
            discussion: """
                  susi store unshare
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var options: StoreOptions

        func run() async throws { try StoreContext(self).share(false, json: output.json) }
    }
}

extension StoreContext {
    fileprivate func share(_ isShared: Bool, json: Bool) throws {
        let leftovers = Leftovers(paths.store)
        try keys.share(isShared)
        let report = SharingReport(
            isShared: isShared, store: paths.store.database.string, leftovers: leftovers.now)
        try console.show(report, json: json)
    }
}

/// Whether a store is shared from now on.
struct SharingReport: CommandResult {
    let isShared: Bool
    let store: String
    let leftovers: Leftovers

    var json: JSONObject {
        [
            "schemaVersion": 1, "store": store, "isShared": isShared, "deletedFiles": leftovers.deleted,
            "keptAside": leftovers.kept,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let text = isShared ? StoreReport.shared : "not shared: several people can be signed in"
        return Table.lines(
            [["store", style.path(store)], ["sharing", text]].map { [style.faint($0[0]), Terminal.safe($0[1])] }, style)
            + leftovers.lines(style)
    }
}
