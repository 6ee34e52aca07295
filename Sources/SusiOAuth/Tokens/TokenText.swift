extension String {
    /// Whether the text has only the characters of a token: visible ASCII and the space (RFC 6749 A.12 and A.17).
    ///
    /// Any other character could end a header or a line.
    public var isTokenText: Bool { utf8.allSatisfy { (0x20...0x7e).contains($0) } }
}
