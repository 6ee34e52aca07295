/// A policy with what it has of its bases.
package struct EffectivePolicy: Sendable {
    let file: PolicyFile
    /// The files of its bases and its own, by number.
    private var files: [Int: PolicyFile]
    /// What the base has; `nil` for the base of all.
    private var base: [Kind: [String: Element]]
    private(set) var blocks: [Kind: [String: Element]]
    private(set) var relyingParty: Element?
    /// Profiles with what they include.
    private var resolved: [String: Element] = [:]
    /// By technical profile in lower case, the claims provider that lists it.
    private var providers: [String: Provider] = [:]
    private(set) var problems = ProblemList()

    struct Provider {
        var domain: String?
        var displayName: String?
    }

    /// What others refer to by a name.
    enum Kind: String, CaseIterable, Sendable {
        case claimType = "ClaimType"
        case predicate = "Predicate"
        case inputValidation = "InputValidation"
        case predicateValidation = "PredicateValidation"
        case transformation = "ClaimsTransformation"
        case clientDefinition = "ClientDefinition"
        case contentDefinition = "ContentDefinition"
        case localizedResources = "LocalizedResources"
        case displayControl = "DisplayControl"
        case profile = "TechnicalProfile"
        case journey = "UserJourney"
        case subJourney = "SubJourney"

        fileprivate var path: [String] {
            switch self {
            case .claimType: ["BuildingBlocks", "ClaimsSchema", rawValue]
            case .localizedResources: ["BuildingBlocks", "Localization", rawValue]
            case .profile: ["ClaimsProviders", "ClaimsProvider", "TechnicalProfiles", rawValue]
            case .journey, .subJourney: ["\(rawValue)s", rawValue]
            default: ["BuildingBlocks", "\(rawValue)s", rawValue]
            }
        }
    }

    init(_ file: PolicyFile, over base: EffectivePolicy?) {
        self.file = file
        files = base?.files ?? [:]
        files[file.number] = file
        self.base = base?.blocks ?? [:]
        blocks = self.base
        for kind in Kind.allCases {
            var seen: Set<String> = []
            for element in file.root.all(kind.path) {
                // A second one in the same file is a mistake of the file.
                guard let id = element["Id"]?.lowercased(), seen.insert(id).inserted else { continue }
                blocks[kind, default: [:]][id] = blocks[kind]?[id].map { Merge.merge($0, element) } ?? element
            }
        }
        providers = base?.providers ?? [:]
        for provider in file.root.all("ClaimsProviders", "ClaimsProvider") {
            for id in provider.all("TechnicalProfiles", "TechnicalProfile").compactMap({ $0["Id"]?.lowercased() }) {
                let known = providers[id]
                providers[id] = Provider(
                    domain: provider.text(of: "Domain") ?? known?.domain,
                    displayName: provider.text(of: "DisplayName") ?? known?.displayName)
            }
        }
        let own = file.root.child("RelyingParty")
        relyingParty = own.map { own in base?.relyingParty.map { Merge.merge($0, own) } ?? own } ?? base?.relyingParty
        for id in (blocks[.profile] ?? [:]).keys.sorted() { resolve(id, []) }
    }

    subscript(kind: Kind, id: String?) -> Element? {
        guard let id = id?.lowercased() else { return nil }
        return kind == .profile ? resolved[id] : blocks[kind]?[id]
    }

    package var id: String { file.policyID }

    /// Returns the file and line of a place, for example `Base.xml:12`.
    package func location(of place: Element.Place) -> String? {
        files[place.file].map { "\($0.path):\($0.text.position(of: place.offset).line)" }
    }

    func provider(of profile: String) -> Provider { providers[profile.lowercased()] ?? Provider() }

    func all(_ kind: Kind) -> [Element] { Array((kind == .profile ? resolved : blocks[kind] ?? [:]).values) }

    /// The elements of a kind that this policy has changed, without those of its base.
    func changed(_ kind: Kind) -> [Element] {
        (blocks[kind] ?? [:]).filter { base[kind]?[$0.key] !== $0.value }.map(\.value)
    }

    private static let mostIncludes = 16

    // Included profiles first: what they say is overridden.
    @discardableResult private mutating func resolve(_ id: String, _ open: [String]) -> Element? {
        if let found = resolved[id] { return found }
        guard let own = blocks[.profile]?[id] else { return nil }
        guard !open.contains(id), open.count < Self.mostIncludes else {
            problems.add(.includesItself(own["Id"] ?? id), at: own)
            return nil
        }
        let includes = own.all("IncludeTechnicalProfile").prefix(Self.mostIncludes).compactMap {
            $0["ReferenceId"]?.lowercased()
        }
        let result = includes.compactMap { resolve($0, open + [id]) }.reduce(nil) { (base: Element?, next: Element) in
            base.map { Merge.merge($0, next) } ?? next
        }
        let merged = result.map { Merge.merge($0, own) } ?? own
        resolved[id] = merged
        return merged
    }
}
