/// A part of the check of a policy with its bases.
protocol PolicyCheck: SendableMetatype {
    init(_ policy: EffectivePolicy)
    mutating func check()
    var problems: ProblemList { get }
}

/// Checks each file with its bases, as the service does when it is uploaded.
struct Uploads {
    private let folder: PolicyFolder
    /// By number of the file: what its upload would answer, without what that of its base answers.
    private(set) var problems: [Int: ProblemList]
    private var policies: [Int: EffectivePolicy] = [:]
    private var depths: [Int: Int] = [:]
    // What the uploads of its bases answer too.
    private var inherited: [Int: ProblemList] = [:]

    private static let mostBases = 10
    private static let checks: [any PolicyCheck.Type] = [
        ReferenceCheck.self, TransformationCheck.self, JourneyCheck.self, ProfileCheck.self, PageCheck.self,
        FlowCheck.self, SupportCheck.self, PatternCheck.self,
    ]

    init(_ folder: PolicyFolder) {
        self.folder = folder
        problems = Dictionary(grouping: folder.problems.found, by: \.place.file).mapValues { placed in
            placed.reduce(into: ProblemList()) { $0.add($1.problem, at: $1.place) }
        }
    }

    /// Checks a file after those that it is based on.
    mutating func check(_ file: PolicyFile) {
        var (chain, seen): ([PolicyFile], Set<Int>) = ([], [])
        var next: PolicyFile? = file
        while let file = next, depths[file.number] == nil, seen.insert(file.number).inserted {
            chain.append(file)
            next = folder.base(of: file)
        }
        if let first = next, seen.contains(first.number) {
            add(.cycle(first.policyID), to: first, at: first.base?.child("PolicyId") ?? first.root)
        }
        for file in chain.reversed() { checkOne(file) }
    }

    private mutating func checkOne(_ file: PolicyFile) {
        var schema = SchemaCheck()
        schema.check(file.root)
        var found = schema.problems
        found.add(FileCheck.problems(of: file, in: folder))
        let base = folder.base(of: file)
        let depth = base.map { (depths[$0.number] ?? 0) + 1 } ?? 0
        depths[file.number] = depth
        if depth > Self.mostBases { add(.tooDeep(Self.mostBases), to: file, at: file.base ?? file.root) }
        let basePolicy = base.flatMap { policies[$0.number] }
        // A name of a base that is missing would be missing too.
        if file.base == nil || basePolicy != nil, depth <= Self.mostBases {
            let policy = EffectivePolicy(file, over: basePolicy)
            policies[file.number] = policy
            found.add(policy.problems)
            for check in Self.checks { found.add(Self.run(check, policy)) }
        }
        let known = base.flatMap { inherited[$0.number] } ?? ProblemList()
        problems[file.number, default: ProblemList()].add(found.without(known))
        inherited[file.number] = known.with(found)
    }

    private static func run(_ type: any PolicyCheck.Type, _ policy: EffectivePolicy) -> ProblemList {
        var check = type.init(policy)
        check.check()
        return check.problems
    }

    private mutating func add(_ problem: Problem, to file: PolicyFile, at element: Element) {
        problems[file.number, default: ProblemList()].add(problem, at: element)
    }
}
