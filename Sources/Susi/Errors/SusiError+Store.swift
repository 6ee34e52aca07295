public import SusiStore

extension SusiError {
    /// What an error of the store means for a person.
    public init(_ error: StoreError) {
        let code: Code = error.kind == .occupied ? .differentPerson : .store
        self.init(code, error.what, why: error.why, next: error.nextStep)
    }
}
