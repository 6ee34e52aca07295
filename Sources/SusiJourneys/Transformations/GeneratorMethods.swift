import SusiBase

/// Methods that make random texts (string-transformations).
extension TransformationTable {
    static let generators: [Method] = [
        Method(
            """
            CreateRandomString ; randomGeneratorType stringFormat? base64?:boolean maximumNumber?:int seed?:int > \
            outputClaim
            """, randomText),
        // An older name of the same.
        Method("GuidAndRandomGenerator * ; * > *", randomText),
    ]

    private static func randomText(_ call: TransformationCall) throws(Reason) -> Outputs {
        let isNumber = try call.choice("randomGeneratorType", ["integer": true, "guid": false])
        let most = call.number("maximumNumber") ?? 1_000
        guard most > 0 else { throw .invalid("maximumNumber") }
        var source = call.number("seed").map(RandomSource.init(seed:)) ?? call.facts.random
        let value: StringFormat.Argument =
            isNumber ? .number(Int64(source.next() % UInt64(most))) : .text(guid(&source))
        let format = call.parameterValue("stringFormat")?.text ?? "{0}"
        let text = try StringFormat.apply(format, [value])
        return ["outputclaim": .string(call.isTrue("base64") ? Base64.encode(text.utf8) : text)]
    }

    // A random one (RFC 9562 section 5.4).
    private static func guid(_ source: inout RandomSource) -> String {
        let high = source.next() & 0xffff_ffff_ffff_0fff | 0x4000
        let low = source.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let digits = [high, low].map { "\(String(repeating: "0", count: 16))\(String($0, radix: 16))".suffix(16) }
        let (first, second) = (digits[0], digits[1])
        return "\(first.prefix(8))-\(first.dropFirst(8).prefix(4))-\(first.suffix(4))-"
            + "\(second.prefix(4))-\(second.dropFirst(4))"
    }
}

extension RandomSource {
    // One number of SplitMix64 that is the same for the same seed. It is not that of .NET.
    fileprivate init(seed: Int64) {
        self.init {
            var mixed = UInt64(bitPattern: seed) &+ 0x9e37_79b9_7f4a_7c15
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
