import SusiBase

/// Why a claims transformation did not run.
struct TransformationError: Error, Hashable, Sendable {
    let transformation: String
    let reason: Reason

    enum Reason: Error, Hashable, Sendable {
        /// An assertion does not hold: a message for the person, by its key in metadata and localized texts, and its default.
        case message(key: String, text: String)
        case unknown
        case notSupported(method: String)
        /// An input claim without a value.
        case noInput(String)
        case noParameter(String)
        /// A parameter whose DataType is not the one that the method casts it to (azure-docs#93116).
        case parameterType(String, found: String, expected: String)
        /// An input or a parameter that the method cannot use.
        case invalid(String)
        case conversion(claim: String, ClaimConversionError)
        /// A JSON text without a member.
        case noMember(String)
        case tooLong
    }
}

extension TransformationError.Reason {
    /// What failed, for the page of an error.
    var text: String {
        switch self {
        case .message(_, let text): text
        case .unknown: "no such claims transformation"
        case .notSupported(let method): "the method \(method) is not supported"
        case .noInput(let name): "the input claim \(name) has no value"
        case .noParameter(let name): "the input parameter \(name) is missing"
        case .parameterType(let name, let found, let expected):
            "unable to cast the input parameter \(name) of type \(found) to \(expected)"
        case .invalid(let name): "\(name) is not valid"
        case .conversion(let claim, let error): "cannot convert \(error.found) to the \(error.type) claim \(claim)"
        case .noMember(let name): "the JSON has no member “\(name)”"
        case .tooLong: "the result is larger than 64 KiB"
        }
    }
}

extension EffectivePolicy {
    /// Runs a claims transformation on a bag. Outputs that the method leaves out keep their claims; those it gives as `nil`
    /// make them empty (spec §4 and §0 C1). Localized texts are those of the content definition `page`, or of any; `profile`
    /// is the technical profile that runs it.
    func transform(
        _ id: String, _ bag: inout ClaimsBag, _ facts: RequestFacts, page: String? = nil, profile: String? = nil
    ) throws(TransformationError) {
        do throws(TransformationError.Reason) {
            try transformed(id, &bag, facts, page, profile)
        } catch {
            throw TransformationError(transformation: self[.transformation, id]?["Id"] ?? id, reason: error)
        }
    }

    private func transformed(
        _ id: String, _ bag: inout ClaimsBag, _ facts: RequestFacts, _ page: String?, _ profile: String?
    ) throws(TransformationError.Reason) {
        guard let element = self[.transformation, id] else { throw .unknown }
        let name = element["TransformationMethod"] ?? ""
        guard let method = TransformationTable.methods[name.lowercased()], let run = method.run else {
            throw .notSupported(method: name)
        }
        let call = try TransformationCall(element, method, self, bag, facts, page: page, profile: profile)
        let results = try run(call)
        for output in call.outputs {
            guard let result = results[output.name.lowercased()] else { continue }
            let (type, claim) = (claimType(output.claim)?.dataType ?? .string, output.claim)
            do throws(ClaimConversionError) {
                bag[claim] = try result?.converted(to: type)
            } catch {
                throw .conversion(claim: claim, error)
            }
        }
    }
}
