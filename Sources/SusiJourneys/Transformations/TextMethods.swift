import SusiBase

/// Methods that make texts (string-transformations, general-transformations).
extension TransformationTable {
    static let texts: [Method] = [
        Method("ChangeCase inputClaim1 ; toCase > outputClaim") { call throws(Reason) in
            let isUpper = try call.choice("toCase", ["upper": true, "lower": false])
            guard let text = call.text("inputClaim1") else { return [:] }
            return ["outputclaim": .string(isUpper ? text.uppercased() : text.lowercased())]
        },
        Method("ConvertNumberToStringClaim inputClaim:int,long ; > outputClaim", copy("inputClaim", to: "outputclaim")),
        // “Both claims must be from the same type.”
        Method("CopyClaim inputClaim:any ; > outputClaim:any") { call throws(Reason) in
            guard let value = call.value("inputClaim") else { return [:] }
            let type = call.outputType("outputClaim")?.dataType ?? .string
            guard value.type == type else {
                throw .conversion(claim: "outputClaim", ClaimConversionError(found: "a \(value.type)", type: type))
            }
            return ["outputclaim": value]
        },
        Method("CopyClaimIfPredicateMatch inputClaim ; > outputClaim") { call in
            guard let value = call.value("inputClaim"), let type = call.outputType("outputClaim"),
                call.policy.predicateFailures(of: value.text, for: type, call.facts).isEmpty
            else { return [:] }
            return ["outputclaim": value]
        },
        Method("CreateStringClaim ; value > createdClaim") { call throws(Reason) in
            ["createdclaim": .string(try call.parameter("value"))]
        },
        Method("FormatStringClaim inputClaim ; stringFormat > outputClaim") { call throws(Reason) in
            let format = try call.parameter("stringFormat")
            guard let text = call.text("inputClaim") else { return [:] }
            return ["outputclaim": .string(try StringFormat.apply(format, [.text(text)]))]
        },
        Method("FormatStringMultipleClaims inputClaim1 inputClaim2 ; stringFormat > outputClaim") {
            call throws(Reason) in
            let values = ["inputClaim1", "inputClaim2"].map { StringFormat.Argument.text(call.text($0) ?? "") }
            return ["outputclaim": .string(try StringFormat.apply(try call.parameter("stringFormat"), values))]
        },
        Method("Hash plaintext salt ; randomizerSecret > hash", hash),
        Method("LookupValue inputParameterId ; * errorOnFailedLookup?:boolean > outputClaim", lookUp),
        Method("NullClaim ; > claim_to_null:any") { _ in ["claim_to_null": nil] },
        Method("ParseDomain emailAddress ; > domain") { call in
            guard let text = call.text("emailAddress"), let at = text.lastIndex(of: "@") else { return [:] }
            return ["domain": .string(String(text[at...].dropFirst()))]
        },
    ]

    /// Gives an input as an output; the type of its claim does the rest.
    static func copy(_ input: String, to output: String) -> Run {
        { call in call.value(input).map { [output: $0] } ?? [:] }
    }

    // The service does not say how it joins the three, so the hash differs from its own.
    private static func hash(_ call: TransformationCall) throws(Reason) -> Outputs {
        let key = try call.parameter("randomizerSecret").lowercased()
        guard let secret = call.facts.policyKeys[key] else { throw .invalid("randomizerSecret") }
        guard let text = call.text("plaintext"), let salt = call.text("salt") else { return [:] }
        return ["hash": .string(Base64.encode(call.facts.sha256(Array("\(text)\(salt)\(secret)".utf8))))]
    }

    private static func lookUp(_ call: TransformationCall) throws(Reason) -> Outputs {
        guard let id = call.text("inputParameterId")?.lowercased() else { return [:] }
        let option = "erroronfailedlookup"
        if id != option, let found = call.parameterValue(id) { return ["outputclaim": found] }
        guard !call.isTrue(option) else {
            throw .message(
                key: "LookupNotFound",
                text: "No match found for the input claim value in the list of input parameter IDs and "
                    + "errorOnFailedLookup is true.")
        }
        return ["outputclaim": nil]
    }
}

/// Composite formats of .NET, `{0}` or `{0:D6}`, without widths (spec §0 B8).
enum StringFormat {
    private static let most = 65_536
    // Of the service (string-transformations).
    private static let longestFormat = 4_000

    enum Argument {
        case text(String)
        case number(Int64)
    }

    static func apply(
        _ format: String, _ arguments: [Argument]
    ) throws(TransformationError.Reason) -> String {
        guard format.utf16.count <= longestFormat else { throw .invalid("stringFormat") }
        var (result, rest) = ("", Substring(format).unicodeScalars)
        while let scalar = rest.popFirst() {
            if scalar == "{" || scalar == "}", rest.first == scalar {
                rest.removeFirst()
                result.unicodeScalars.append(scalar)
            } else if scalar == "{" {
                guard let end = rest.firstIndex(of: "}"), let value = value(rest[..<end], arguments) else {
                    throw .invalid("stringFormat")
                }
                result += value
                rest = rest[end...].dropFirst()
            } else if scalar == "}" {
                throw .invalid("stringFormat")
            } else {
                result.unicodeScalars.append(scalar)
            }
            guard result.utf8.count <= most else { throw .tooLong }
        }
        return result
    }

    private static func value(_ item: Substring.UnicodeScalarView, _ arguments: [Argument]) -> String? {
        let parts = Substring(item).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let index = Int(first), arguments.indices.contains(index) else {
            return nil
        }
        switch arguments[index] {
        // A text has no formats.
        case .text(let text): return text
        case .number(let number):
            guard parts.count == 2, let letter = parts[1].first else { return String(number) }
            let isZeros = parts[1].allSatisfy { $0 == "0" }
            let digits = isZeros ? parts[1].count : "Dd".contains(letter) ? Int("0\(parts[1].dropFirst())") : nil
            guard let digits, digits <= 99 else { return nil }
            return String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
        }
    }
}
