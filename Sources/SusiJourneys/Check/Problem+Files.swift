/// What is wrong with a file, its XML, its settings and its bases. Threads that quote the service's words are named.
extension Problem {
    // samples#275
    static func invalidXML(_ problem: String, _ line: Int, _ column: Int) -> Problem {
        error("xml", "The file contains invalid XML: \(problem)", "line \(line), column \(column)")
    }

    static let tooLarge = error("xml", "The file is larger than 1024 KB", "the service accepts no larger policy")

    static func missingSetting(_ name: String) -> Problem {
        error(
            "setting", "{Settings:\(name)} has no value",
            "add it to PolicySettings of appsettings.json, or use --settings \(name)=VALUE")
    }

    static func unknownEnvironment(_ name: String, _ known: [String]) -> Problem {
        error("setting", "The file has no environment “\(name)”", "environments: \(known.joined(separator: ", "))")
    }

    static func duplicatePolicy(_ id: String, _ other: String) -> Problem {
        error(
            "chain", "\(other) has the policy \(id) too", "the second upload replaces the first one; change a PolicyId")
    }

    static func wrongPrefix(_ id: String) -> Problem {
        warning("chain", "The PolicyId “\(id)” does not begin with B2C_1A_", "the service adds it; references need it")
    }

    // starterpack#113
    static func noBase(_ id: String, _ near: String?) -> Problem {
        error(
            "chain", "Policy with 'policyId': \(id) cannot be found in the directory",
            near.map { "did you mean “\($0)”?" } ?? starterPack(id))
    }

    static func severalBases(_ id: String, _ paths: [String]) -> Problem {
        warning(
            "chain", "\(paths.count) other folders have a policy \(id), so this file is checked without one",
            "\(paths.prefix(3).joined(separator: ", ")): put it beside this file, or above")
    }

    private static func starterPack(_ id: String) -> String {
        let names = [
            "b2c_1a_trustframeworkbase", "b2c_1a_trustframeworklocalization", "b2c_1a_trustframeworkextensions",
        ]
        return names.contains(id.lowercased()) ? "copy the file of the starter pack that this policy was made for" : ""
    }

    static func cycle(_ id: String) -> Problem {
        error("chain", "The policy \(id) has itself as a base")
    }

    static func tooDeep(_ most: Int) -> Problem { error("chain", "More than \(most) policies inherit from each other") }

    // azure-docs#30477
    static func otherTenant(_ tenant: String, _ base: String) -> Problem {
        error(
            "tenant", "TenantId in the policy xml '\(tenant)' is not same as the one of the base policy, '\(base)'",
            "all files of a folder belong to one tenant")
    }

    static func placeholder(_ text: String) -> Problem {
        warning("placeholder", "“\(text)” is a placeholder", "replace it before an upload")
    }
}

/// What the schema does not allow.
extension Problem {
    // azure-docs#99326
    static func invalidChild(_ name: String, of element: String, expected: [String], known: [String]) -> Problem {
        error(
            "schema", "The element '\(element)' has invalid child element '\(name)'",
            known.contains(name)
                ? known.isEmpty || expected.contains(name) ? "" : "the order is: \(known.joined(separator: ", "))"
                : Self.list("possible elements expected", expected))
    }

    static func incomplete(_ element: String, expected: [String]) -> Problem {
        error("schema", "The element '\(element)' has incomplete content", list("possible elements expected", expected))
    }

    static func childInText(_ name: String, in element: String) -> Problem {
        error("schema", "The element '\(element)' has invalid child element '\(name)'", "it contains only text")
    }

    static func text(_ text: String, in element: String) -> Problem {
        error("schema", "The element '\(element)' cannot contain text", "“\(text.prefix(40))” is outside of an element")
    }

    // samples#618
    static func textInEmpty(_ element: String) -> Problem {
        error(
            "schema", "The element '\(element)' cannot contain white space. Content model is empty.",
            "write <\(element) … />")
    }

    static func missingAttribute(_ name: String, of element: String, written: String?) -> Problem {
        error(
            "schema", "The required attribute '\(name)' of '\(element)' is missing",
            written.map { "did you mean it with “\($0)”?" } ?? "")
    }

    static func unknownAttribute(_ name: String, of element: String, _ near: String?) -> Problem {
        warning(
            "schema", "The '\(name)' attribute of '\(element)' is not declared",
            near.map { "did you mean “\($0)”?" } ?? "")
    }

    static func wrongValue(_ value: String, _ kind: String, _ what: String) -> Problem {
        let allowed = Schema.values[kind].map { $0.sorted() } ?? []
        return error(
            "schema", "\(what) is invalid: the value '\(value.prefix(80))'",
            allowed.isEmpty ? "" : list("allowed", kind == "boolean" ? ["true", "false"] : allowed))
    }

    static func duplicate(_ element: String, _ attribute: String, _ value: String) -> Problem {
        error("schema", "There is a duplicate key sequence '\(value)': two \(element) with one \(attribute)")
    }

    private static func list(_ what: String, _ names: [String]) -> String {
        names.isEmpty ? "" : "\(what): \(names.joined(separator: ", "))"
    }
}
