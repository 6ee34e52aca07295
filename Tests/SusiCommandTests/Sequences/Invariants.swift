/// What holds in every state and for every step, in plain words.
struct Invariant: Sendable {
    let words: String
    var state: (@Sendable (Observed) async throws -> [String])?
    var step: (@Sendable (Step) async throws -> [String])?
    /// Whether it runs the command of the step several times more. Only the long form has it for every step; the short one for
    /// removals that removed something, of pairs every second one, and for every eighth step.
    var isSlow = false

    static let all: [Invariant] = [
        // What is said about a state.
        Invariant(
            "accounts --all lists every row of the store once, in its application or in none with the reason",
            state: listsEveryRow),
        Invariant(
            "the list of an application has the rows that it owns, and counts the others as hidden", state: listsOwnRows
        ),
        Invariant("status counts every row: as stored, under its policy, or in no application", state: countsEveryRow),
        Invariant(
            "“Not signed in” means an empty store; else status says that no account is current and how many are stored",
            state: saysWhoIsSignedIn),
        Invariant("the text says what the JSON says", state: textIsJSON),
        Invariant("store status counts the rows; status of a shared store names its holder", state: storeIsCounted),
        Invariant("a token is that of the current account, and there is none without one", state: tokenIsOfCurrent),
        Invariant("an export has the accounts of the application and no others", state: exportsOwnRows),
        Invariant(
            "a policy that keeps no account is refused by every verb that needs one",
            state: refusesPoliciesWithoutAccounts),
        Invariant(
            "every hint is a whole command that succeeds or asks for a person, and acts on no other person",
            state: hintsWork, step: hintsOfStepWork),
        Invariant("some command removes each account alone", state: everyRowCanBeRemoved),
        // What a step may do.
        Invariant("no action is a usage error", step: isUnderstood),
        Invariant(
            "a failed command changes nothing, but for a removal that says what it removed", step: failureChangesNothing
        ),
        Invariant("only removals remove accounts, and only sign-ins and imports add them", step: addsAndRemovesByName),
        Invariant(
            "the current account changes only by sign-in, switch and removal, and by an import where there is none",
            step: keepsCurrent),
        Invariant("a removal names exactly what went and what stays", step: namesWhatWent),
        Invariant(
            "a session is reported as ended only if it has ended, and one that was to end and has not is never exit code 0",
            step: saysWhichSessionsEnded),
        Invariant("a preview is what happens", step: previewHappens, isSlow: true),
        Invariant("a repeated removal removes nothing more", step: repeatsNothing, isSlow: true),
        Invariant(
            "a removal without anything to remove is exit code 5, proposes no sign-in and no switch, and says where an account is",
            step: saysNothingToRemove),
    ]

    private init(
        _ words: String, state: (@Sendable (Observed) async throws -> [String])? = nil,
        step: (@Sendable (Step) async throws -> [String])? = nil, isSlow: Bool = false
    ) {
        (self.words, self.state, self.step, self.isSlow) = (words, state, step, isSlow)
    }
}
