import SusiBase

extension String {
    /// Whether the text is a GUID in lower case: 8-4-4-4-12 hexadecimal digits.
    package var isGUID: Bool {
        let bytes = Array(utf8)
        guard bytes.count == 36 else { return false }
        for (index, byte) in bytes.enumerated() {
            switch index {
            case 8, 13, 18, 23: if byte != UInt8(ascii: "-") { return false }
            default:
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                if !isDigit, !(UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) { return false }
            }
        }
        return true
    }
}

extension String? {
    /// Checks the name of a tenant in an authority against the GUID in an issuer: a name that is a GUID must be the
    /// same.
    func checkIsNamed(by found: String) throws(InvalidInput) {
        guard found.isGUID else { throw InvalidInput("“\(found)” in it is not the GUID of a tenant") }
        guard let named = self?.lowercased(), named.isGUID, named != found else { return }
        throw InvalidInput("its tenant is \(found), not \(named)")
    }
}
