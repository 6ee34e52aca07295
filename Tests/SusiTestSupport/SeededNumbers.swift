/// Random numbers that are equal for equal seeds (SplitMix64), so that a failure can be reproduced.
package struct SeededNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// The value of `SUSI_SEED`, or a random seed; tests print it.
    package static var seed: UInt64 {
        TestEnvironment.variable("SUSI_SEED").flatMap { UInt64($0) } ?? UInt64.random(in: 0...99_999)
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
