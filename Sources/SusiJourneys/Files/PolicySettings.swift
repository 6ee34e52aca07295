import SusiBase

/// The values for `{Settings:NAME}` in policy files: those of an environment in the `appsettings.json` of the editor
/// extension, and those of the command line.
struct PolicySettings: Sendable {
    /// The environment that the values are from.
    let environment: String?
    let environmentsFolder: String
    private var values: [String: String] = [:]

    /// Takes the first environment that is not for production, unless another one is named. Returns `nil` if the file
    /// belongs to another program.
    init?(_ file: JSONNode?, _ choice: PolicyOptions) {
        let environments = file?["Environments"]?.array ?? []
        guard file == nil || !environments.isEmpty else { return nil }
        let named = environments.first { Self.key($0["Name"]?.string) == Self.key(choice.environment) }
        let chosen =
            choice.environment == nil
            ? environments.first { $0["Production"]?.bool == false } ?? environments.first : named
        environment = chosen?["Name"]?.string
        environmentsFolder = file?["EnvironmentsFolder"]?.string ?? "Environments"
        if let environment { values["environment"] = environment }
        if let tenant = chosen?["Tenant"]?.string { values["tenant"] = tenant }
        for member in chosen?["PolicySettings"]?.members ?? [] {
            values[member.name.lowercased()] = member.node.string ?? member.node.bool.map { "\($0)" }
        }
        for (name, value) in choice.values { values[name.lowercased()] = value }
    }

    private static func key(_ name: String?) -> String? { name?.lowercased() }

    /// Returns the text with the values of the settings that have one.
    ///
    /// A value is not searched again, but for the names that every file has: nested values could grow without end.
    func apply(to text: [UInt8], file: String) -> SourceText {
        let own = Self.own(file, values)
        return Self.fill(text) { name in
            if let value = own[name] { return Array(value.utf8) }
            return values[name].map { value in
                Self.fill(Array(value.utf8)) { name in own[name].map { Array($0.utf8) } }.bytes
            }
        }
    }

    // The names that every file has; their values are taken as they are.
    private static func own(_ file: String, _ values: [String: String]) -> [String: String] {
        let name = String((file.split(separator: "/").last ?? "").dropLast(".xml".count))
        let plain = name.lowercased().hasPrefix("b2c_1a_") ? String(name.dropFirst("b2c_1a_".count)) : name
        return values.filter { ["tenant", "environment"].contains($0.key) }
            .merging(["filename": name, "policyfilename": plain]) { $1 }
    }

    // Replaces names until the text is too large for a policy.
    private static func fill(_ text: [UInt8], _ value: (_ name: String) -> [UInt8]?) -> SourceText {
        var (found, size) = ([(range: Range<Int>, value: [UInt8])](), text.count)
        for (range, name) in names(in: text) where size <= PolicyFile.largest {
            guard let value = value(name.lowercased()) else { continue }
            found.append((range, value))
            size += value.count
        }
        return SourceText(text, replacing: found)
    }

    private static let mark = Array("{settings:".utf8)
    private static let longestName = 128

    /// Returns the settings that a text names.
    static func names(in text: String) -> [String] {
        text.utf8.contains(mark[0]) ? names(in: Array(text.utf8)).map(\.name) : []
    }

    static func names(in text: [UInt8]) -> [(range: Range<Int>, name: String)] {
        var (found, position) = ([(range: Range<Int>, name: String)](), 0)
        while let start = text[position...].firstIndex(of: mark[0]) {
            position = start + 1
            let begin = start + mark.count
            guard begin < text.count, zip(text[start...], mark).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }) else {
                continue
            }
            let name = text[begin...].prefix(longestName).prefix { $0 > 0x20 && $0 != UInt8(ascii: "}") }
            guard name.endIndex < text.count, text[name.endIndex] == UInt8(ascii: "}"), !name.isEmpty else { continue }
            position = name.endIndex + 1
            found.append((start..<position, String(decoding: name, as: UTF8.self)))
        }
        return found
    }
}

/// What the command line says about settings.
package struct PolicyOptions: Sendable {
    package let environment: String?
    /// Values by name; they take precedence.
    package let values: [String: String]

    package init(environment: String? = nil, values: [String: String] = [:]) {
        (self.environment, self.values) = (environment, values)
    }
}
