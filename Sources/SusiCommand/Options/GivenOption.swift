import ArgumentParser
import Susi

/// Arguments with options that suggested commands repeat.
protocol GivenArguments: ParsableArguments {
    /// Those options, in the order in which a suggested command repeats them.
    static var givenOptions: [OptionReader<Self>] { get }
}

/// A command whose options are repeated in the commands that it suggests.
protocol SuggestingCommand: ParsableCommand, GivenArguments {
    /// The repeated options of the group that all commands of the kind share; they follow the command's own.
    static var commonOptions: [OptionReader<Self>] { get }
    /// The command itself, without repeated options.
    var again: SuggestedCommand { get }
}

extension SuggestingCommand {
    static var givenOptions: [OptionReader<Self>] { [] }
    var again: SuggestedCommand { SuggestedCommand(Self.configuration.commandName ?? "") }

    static var acceptedMeanings: Set<GivenOption.Meaning> {
        Set((givenOptions + commonOptions).filter(\.isAccepted).map(\.meaning))
    }

    /// The repeated options of this command line.
    var given: [GivenOption] { (Self.givenOptions + Self.commonOptions).flatMap { $0.read(self) } }
}

/// A command that uses an application of policies.json.
protocol GivenCommand: SuggestingCommand {
    /// The options of every command that reads policies.json.
    var global: GlobalOptions { get }
}

extension GivenCommand {
    static var commonOptions: [OptionReader<Self>] { .group(\.global) }
}

/// A reader of an option of a command or an option group, with its meaning there.
struct OptionReader<Arguments> {
    let meaning: GivenOption.Meaning
    /// Whether the command accepts the option in this meaning; if not, the option is only repeated in other commands.
    let isAccepted: Bool
    /// Returns the option once for each value.
    let read: (Arguments) -> [GivenOption]

    /// An option with at most one value.
    static func value(_ meaning: GivenOption.Meaning, _ value: @escaping (Arguments) -> String?) -> OptionReader {
        values(meaning) { value($0).map { [$0] } ?? [] }
    }

    /// An option that can be repeated.
    static func values(_ meaning: GivenOption.Meaning, _ values: @escaping (Arguments) -> [String]) -> OptionReader {
        OptionReader(meaning: meaning, isAccepted: true) { values($0).map { GivenOption(meaning: meaning, value: $0) } }
    }

    static func flag(_ meaning: GivenOption.Meaning, _ isSet: @escaping (Arguments) -> Bool) -> OptionReader {
        OptionReader(meaning: meaning, isAccepted: true) {
            isSet($0) ? [GivenOption(meaning: meaning, value: nil)] : []
        }
    }
}

extension Array {
    /// The repeated options of an option group, all of them accepted unless `accepting` lists the accepted ones.
    static func group<Arguments, Group: GivenArguments>(
        _ group: KeyPath<Arguments, Group>, accepting: Set<GivenOption.Meaning>? = nil
    ) -> [OptionReader<Arguments>] where Element == OptionReader<Arguments> {
        Group.givenOptions.map { option in
            OptionReader(
                meaning: option.meaning,
                isAccepted: option.isAccepted && accepting?.contains(option.meaning) ?? true,
                read: { option.read($0[keyPath: group]) })
        }
    }
}

/// A given option with its meaning: `-p` of `edit-profile` names another policy than `-p` of `token`.
struct GivenOption: Equatable {
    let meaning: Meaning
    /// The value; nil for a flag.
    let value: String?

    /// Returns a file's name for a suggested command. A later command does not have the open files of this one.
    static func repeatable(_ file: String) -> String {
        ["/dev/stdin", "/dev/fd/", "/proc/self/fd/"].contains(where: file.hasPrefix) ? "FILE" : file
    }

    enum Meaning: CaseIterable {
        case policy, editPolicy, resetPolicy, tenant, account, api, scope, username, passwordStdin, codeCommand
        case device
        case noBrowser, browser, port
        case application, config, rehearse

        /// The option as it is typed.
        var option: String {
            switch self {
            case .policy, .editPolicy, .resetPolicy: "-p"
            case .tenant: "--tenant"
            case .account: "-a"
            case .api: "--api"
            case .scope: "--scope"
            case .username: "--username"
            case .passwordStdin: "--password-stdin"
            case .codeCommand: "--code-command"
            case .device: "--device"
            case .noBrowser: "--no-browser"
            case .browser: "--browser"
            case .port: "--port"
            case .application: "-A"
            case .config: "--config"
            case .rehearse: "--rehearse"
            }
        }

        /// Returns whether that command accepts the option in this meaning, in addition to the options that it has
        /// already.
        func isAccepted(by command: SuggestedCommand) -> Bool {
            let own = Set(command.options.map(\.name))
            // `--scope` may be repeated.
            let isFree = self == .scope || !own.contains(option)
            guard isAccepted(by: command.name), isFree, !command.refused.contains(option) else { return false }
            switch self {
            // With these options, no sign-in page is opened on this machine.
            case .device: return !own.contains("--username")
            case .noBrowser, .browser, .port: return own.isDisjoint(with: ["--username", "--device"])
            default: return true
            }
        }

        /// Returns whether the command of that name accepts the option in this meaning.
        func isAccepted(by name: String) -> Bool {
            let type = Program.commands(in: name.split(separator: " ").map(String.init)).last
            return (type as? any SuggestingCommand.Type)?.acceptedMeanings.contains(self) ?? false
        }
    }
}
