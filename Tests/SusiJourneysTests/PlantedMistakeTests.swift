import Testing

@testable import SusiJourneys

@Suite struct PlantedMistakeTests {
    @Test func findsNothingInThePoliciesThemselves() throws {
        let check = try PolicyFixture.check()
        #expect(check.findings.map(\.text).isEmpty)
        #expect(check.policies == ["Base.xml", "SignIn.xml", "SignUp.xml"])
        #expect(check.keys == ["B2C_1A_Signing"])
        #expect(check.refused.isEmpty)
    }

    @Test(arguments: PlantedMistake.all)
    func findsTheMistakeAndNothingElse(_ mistake: PlantedMistake) throws {
        var (text, line) = try PolicyFixture.plant(mistake.file, mistake.part, mistake.new)
        if let place = mistake.place {
            line = try PolicyFixture.line(of: place, in: mistake.other.map(PolicyFixture.text) ?? text)
        }
        let found = try PolicyFixture.check(["\(mistake.file).xml": text]).findings
        let expected = mistake.kind.isEmpty ? [] : ["\(mistake.other ?? mistake.file).xml:\(line) \(mistake.kind)"]
        #expect(Set(found.map { "\($0.path):\($0.line) \($0.kind)" }).sorted() == expected, "\(found.map(\.text))")
        #expect(mistake.kind.isEmpty || found.contains { $0.text.contains(mistake.text) }, "\(found.map(\.text))")
    }
}
