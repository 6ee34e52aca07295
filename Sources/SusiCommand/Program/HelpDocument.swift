import ArgumentParser
import SusiBase

/// What `susi help --json` prints: commands, exit codes and variables, from the declarations that the help comes from.
struct HelpDocument {
    private let commands: [Command]

    fileprivate struct Command {
        let words: [String]
        let node: JSONNode
    }

    /// Describes the commands whose names begin with `words`; without words, all.
    init(_ words: [String] = []) throws {
        let dump = try JSONNode(parsing: Root._dumpHelp().utf8)
        // The parser adds its own `help`, which has neither `--json` nor topics.
        commands = Self.commands(in: dump["command"], []).filter {
            $0.words.starts(with: words) && $0.words != ["help"]
        }
    }

    // A group runs its usual subcommand, so it has no entry of its own.
    private static func commands(in group: JSONNode?, _ words: [String]) -> [Command] {
        (group?["subcommands"]?.array ?? []).flatMap { node -> [Command] in
            let own = words + [node["commandName"]?.string ?? ""]
            let inner = commands(in: node, own)
            return inner.isEmpty ? [Command(words: own, node: node)] : inner
        }
    }

    /// The names of all options of these commands.
    var optionNames: [String] { commands.flatMap(\.options).flatMap { HelpDocument.Command.names(of: $0) } }

    var json: JSONObject {
        [
            "schemaVersion": 1, "version": Root.configuration.version, "commands": commands.map(\.json),
            "exitCodes": ExitCodes.meanings.map { (code, meaning) -> JSONObject in ["code": code, "meaning": meaning] },
            "variables": HelpTopic.variables.map { (name, meaning) -> JSONObject in
                ["names": name.split(separator: ", ").map(String.init), "meaning": meaning]
            },
        ]
    }
}

extension HelpDocument.Command {
    fileprivate var json: JSONObject {
        let all = node["arguments"]?.array ?? []
        let arguments = all.filter { $0["kind"]?.string == "positional" }
        return [
            "command": words.joined(separator: " "), "aliases": node["aliases"]?.strings ?? [],
            "summary": node["abstract"]?.string, "arguments": arguments.map(Self.argument),
            "options": options.map(Self.option),
        ]
    }

    fileprivate var options: [JSONNode] {
        (node["arguments"]?.array ?? []).filter { $0["kind"]?.string != "positional" }
    }

    fileprivate static func names(of option: JSONNode) -> [String] {
        (option["names"]?.array ?? []).map { name in
            (name["kind"]?.string == "short" ? "-" : "--") + (name["name"]?.string ?? "")
        }
    }

    private static func argument(_ node: JSONNode) -> JSONObject {
        [
            "name": node["valueName"]?.string, "help": node["abstract"]?.string,
            "isOptional": node["isOptional"]?.bool, "isRepeatable": node["isRepeating"]?.bool,
        ]
    }

    // A flag has no value.
    private static func option(_ node: JSONNode) -> JSONObject {
        let isFlag = node["kind"]?.string == "flag"
        return [
            "names": names(of: node), "help": node["abstract"]?.string,
            "value": isFlag ? nil : node["valueName"]?.string,
            "default": isFlag ? nil : node["defaultValue"]?.string,
            "values": node["completionKind"]?["list"]?["values"]?.strings,
            "isOptional": node["isOptional"]?.bool, "isRepeatable": node["isRepeating"]?.bool,
        ]
    }
}
