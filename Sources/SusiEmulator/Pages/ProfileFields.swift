import SusiBase
import SusiPolicies

/// The profile fields of a sign-up or of a profile edit.
struct ProfileFields: Sendable {
    private static let names = [
        PolicySettings.Attribute("displayName", isRequired: true),
        PolicySettings.Attribute("givenName", isRequired: true), PolicySettings.Attribute("surname", isRequired: true),
    ]

    private let attributes: [PolicySettings.Attribute]
    private let types: [String: AttributeType]
    private var values: [String: String] = [:]

    /// Empty fields. The address is not an attribute if the account signs in with it or if it was verified.
    init(_ endpoint: PolicyEndpoint, hasEmail: Bool = false, of user: User? = nil) {
        let (settings, configuration) = (endpoint.settings, endpoint.tenant.configuration)
        let isSignInName = settings.identifier != .userName || hasEmail
        var attributes = (settings.attributes ?? Self.names).filter { $0.name != "email" || !isSignInName }
        // A user whose seed lacks an attribute can edit the others.
        for (place, attribute) in attributes.enumerated() where attribute.isRequired {
            let isMissing = user.map { $0[attribute: attribute.name]?.attributeText ?? "" == "" }
            attributes[place].isRequired = isMissing != true
        }
        self.attributes = attributes
        types = Dictionary(
            uniqueKeysWithValues: attributes.map { ($0.name, configuration.attributeType($0.name, of: user)) })
    }

    init(_ endpoint: PolicyEndpoint, _ user: User) {
        self.init(endpoint, hasEmail: user.identityProvider != nil, of: user)
        for attribute in attributes { values[attribute.name] = user[attribute: attribute.name]?.attributeText }
    }

    init(_ endpoint: PolicyEndpoint, form: Parameters, hasEmail: Bool = false, of user: User? = nil) {
        self.init(endpoint, hasEmail: hasEmail, of: user)
        for attribute in attributes {
            // A checkbox without a tick is not sent.
            let missing = isCheckbox(attribute) ? "false" : nil
            values[attribute.name] = form[attribute.name]?.trimmed ?? missing
        }
    }

    private func type(_ attribute: PolicySettings.Attribute) -> AttributeType { types[attribute.name] ?? .string }

    private func isCheckbox(_ attribute: PolicySettings.Attribute) -> Bool {
        type(attribute) == .boolean && attribute.choices.isEmpty
    }

    /// Replaces the values of its attributes by those of claims.
    mutating func take(_ claims: [String: JSON]) {
        let claims = claims.byAttribute
        for attribute in attributes {
            values[attribute.name] = claims[attribute.name]?.attributeText ?? values[attribute.name]
        }
    }

    /// The problems, by field ID.
    var problems: [String: LocalizedText] {
        var result: [String: LocalizedText] = [:]
        for attribute in attributes {
            result[attribute.name] = Self.problem(attribute, type(attribute), values[attribute.name] ?? "")
        }
        return result
    }

    static func problem(
        _ attribute: PolicySettings.Attribute, _ type: AttributeType, _ value: String
    ) -> LocalizedText? {
        guard !value.isEmpty else { return attribute.isRequired ? .required : nil }
        let elements = type == .strings ? AttributeType.elements(value) : [value]
        if elements.contains(where: { $0.count > 128 }) { return .tooLong }
        if !attribute.choices.isEmpty, !elements.allSatisfy(attribute.choices.contains) { return .notAChoice }
        if type == .integer, type.value(value) == nil { return .invalidNumber }
        if type == .boolean, type.value(value) == nil { return .notAChoice }
        return switch attribute.name {
        case "email": isEmailAddress(value) ? nil : .invalidEmail
        case "phone": phoneNumber(value) == nil ? .invalidPhone : nil
        default: nil
        }
    }

    func apply(to user: inout User) {
        for attribute in attributes {
            let (name, text) = (attribute.name, values[attribute.name])
            // What was not changed stays as it is, also an element with a comma.
            guard text ?? "" != user[attribute: name]?.attributeText ?? "" else { continue }
            user[attribute: name] = text.flatMap(type(attribute).value)
        }
    }

    func fields(_ words: Words, _ problems: [String: LocalizedText], focus: Bool) -> [Field] {
        attributes.enumerated().map { index, attribute in
            let known = KnownAttribute.named[attribute.name]
            let label = attribute.label ?? words[known?.label] ?? readable(attribute.name)
            // A custom label says itself whether the field is optional.
            let shown = attribute.isRequired || attribute.label != nil ? label : words[.optional, label]
            let type = type(attribute)
            return Field(
                id: attribute.name, label: isCheckbox(attribute) ? label : shown,
                type: isCheckbox(attribute) ? "checkbox" : known?.type ?? "text",
                autocomplete: known?.autocomplete ?? "off", value: values[attribute.name] ?? "",
                choices: type == .strings ? [] : attribute.choices, isRequired: attribute.isRequired,
                hint: hint(attribute, words), error: words[problems[attribute.name]],
                rule: known?.rule ?? .of(type), isFocused: focus && index == 0,
                inputMode: type == .integer ? "numeric" : nil)
        }
    }

    private func hint(_ attribute: PolicySettings.Attribute, _ words: Words) -> String? {
        if attribute.name == "phone" { return words[.phoneHint] }
        guard type(attribute) == .strings else { return nil }
        return ([words[.listHint]] + attribute.choices).joined(separator: " ")
    }

    // `extension_LoyaltyNumber` becomes “Loyalty number”.
    private func readable(_ name: String) -> String {
        var text = ""
        for character in name.hasPrefix("extension_") ? name.dropFirst("extension_".count) : name[...] {
            if character.isUppercase, text.last?.isLowercase ?? false { text += " " }
            text += character == "_" ? " " : text.isEmpty ? character.uppercased() : character.lowercased()
        }
        return text
    }
}

/// The fields of the built-in attributes.
private struct KnownAttribute: Sendable {
    let label: LocalizedText
    let autocomplete: String
    var type = "text"
    var rule = FieldRule.text

    static let named: [String: KnownAttribute] = [
        "displayName": KnownAttribute(label: .displayName, autocomplete: "name"),
        "givenName": KnownAttribute(label: .givenName, autocomplete: "given-name"),
        "surname": KnownAttribute(label: .surname, autocomplete: "family-name"),
        "email": KnownAttribute(label: .emailAddress, autocomplete: "email", type: "email", rule: .email),
        "phone": KnownAttribute(label: .phoneNumber, autocomplete: "tel", type: "tel", rule: .phone),
        "city": KnownAttribute(label: .city, autocomplete: "address-level2"),
        "state": KnownAttribute(label: .state, autocomplete: "address-level1"),
        "country": KnownAttribute(label: .country, autocomplete: "country-name"),
        "postalCode": KnownAttribute(label: .postalCode, autocomplete: "postal-code"),
        "streetAddress": KnownAttribute(label: .streetAddress, autocomplete: "address-line1"),
        "jobTitle": KnownAttribute(label: .jobTitle, autocomplete: "organization-title"),
    ]
}

extension User {
    /// An attribute by the name of its claim; `nil` and empty are the same.
    subscript(attribute name: String) -> JSON? {
        get {
            switch name {
            case "displayName": .string(displayName)
            case "givenName": .string(givenName)
            case "surname": .string(surname)
            case "email": email.map(JSON.string)
            case "phone": phone.map(JSON.string)
            default: attributes[name]
            }
        }
        set {
            let value = newValue?.string.flatMap { $0.isEmpty ? nil : $0 }
            switch name {
            case "displayName": displayName = value ?? displayName
            case "givenName": givenName = value ?? ""
            case "surname": surname = value ?? ""
            case "email": email = value
            case "phone": phone = value.flatMap(phoneNumber)
            default: attributes[name] = newValue
            }
        }
    }
}

/// Returns whether a text looks like an email address: one @ between a name and a domain with a dot.
func isEmailAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    return parts.count == 2 && !parts[0].isEmpty && text.utf8.count <= 254
        && parts[1].split(separator: ".", omittingEmptySubsequences: false).count > 1
        && parts[1].split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
        && !text.contains { $0.isWhitespace || $0 == "<" || $0 == ">" || $0 == "\"" }
}

/// A phone number with its country code as in ITU-T E.164, from any spelling. Returns `nil` if the text is not a number.
func phoneNumber(_ text: String) -> String? {
    let kept = text.filter { !" -().\u{a0}".contains($0) }
    let digits = kept.dropFirst()
    guard kept.first == "+", (7...15).contains(digits.count), digits.first != "0",
        digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return kept
}
