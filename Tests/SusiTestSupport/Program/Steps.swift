import SystemPackage

extension Program {
    /// Returns the command as a program that is killed just before its n-th change of a file, or with 0 only reports each change.
    ///
    /// The changes are counted in the program, so the kill does not depend on time.
    package func killed(atStep number: Int) throws(ProgramError) -> Program {
        guard let library = TestEnvironment.builtProduct("libKillAtStep.so") else {
            throw ProgramError(program: self, what: "no library `KillAtStep` beside the tests: build it first")
        }
        var result = self
        result.environment["LD_PRELOAD"] = library.string
        result.environment["KILL_AT_STEP"] = "\(number)"
        return result
    }
}

extension ProgramOutcome {
    /// The number of changes of files that a command from `killed(atStep:)` has made.
    package var steps: Int { standardError.matches(of: #/(?m)^step \d+ \w+$/#).count }
}
