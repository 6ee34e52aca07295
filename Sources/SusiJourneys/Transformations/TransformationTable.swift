/// What each method of a claims transformation takes and gives, and how it runs, from Microsoft's reference.
enum TransformationTable {
    typealias Reason = TransformationError.Reason
    /// By the method's names of its outputs in lower case; an output that is left out is not set.
    typealias Outputs = [String: ClaimValue?]
    typealias Run = @Sendable (TransformationCall) throws(Reason) -> Outputs

    struct Method: Sendable {
        let name: String
        let inputs: [Value]
        let parameters: [Value]
        let outputs: [Value]
        /// `nil` for a method that susi does not run.
        let run: Run?
    }

    /// A claim or parameter of a method. `any` is any type; `*` stands for names that the policy chooses.
    struct Value: Sendable {
        let name: String
        let types: [String]
        let isRequired: Bool
    }

    private static let rows =
        texts + comparisons + booleans + times + collections + json + identities + phoneNumbers + generators
        + localized + unsupported

    /// By name in lower case.
    static let methods = Dictionary(uniqueKeysWithValues: rows.map { ($0.name.lowercased(), $0) })

    static let names = rows.map(\.name)

    private static let unsupported = """
        AddItemToAlternativeSecurityIdCollection item collection?:alternativeSecurityIdCollection ; > \
        collection:alternativeSecurityIdCollection
        AdjustNumber inputClaim:int,long ; Operator > outputClaim:int,long
        AssertNumber inputClaim:int,long ; Operator CompareToValue:int throwError?:boolean > outputClaim?:boolean
        BuildUri * ; * > *
        CompareBooleanClaimToValue inputClaim:boolean ; valueToCompareTo:boolean > compareResult:boolean
        ConvertDateTimeToDateClaim inputClaim:dateTime ; > outputClaim:date
        ConvertDateToDateTimeClaim inputClaim:date ; > outputClaim:dateTime
        CreateJsonArray inputClaim ; > outputClaim
        CreateOtpSecret * ; * > *
        FormatLocalizedString * ; * > outputClaim
        GetAgeGroupAndConsentProvided * ; * > *
        GetAgeGroupConsentProvidedAndRequiresConsent * ; * > *
        GetClaimsFromJsonArray jsonSource ; * > *
        GetClaimsFromJsonArrayV2 jsonSource:any ; * > *
        GetIdentityProvidersFromAlternativeSecurityIdCollectionTransformation \
        alternativeSecurityIdCollection:alternativeSecurityIdCollection ; > \
        identityProvidersCollection:stringCollection
        GetNumericClaimFromJson inputJson ; claimToExtract > extractedClaim:long
        GetSingleValueFromJsonArray inputJsonClaim ; > extractedClaim
        RemoveAlternativeSecurityIdByIdentityProvider * ; * > *
        SetClaimIfBooleansMatch claimToMatch:boolean ; matchTo outputClaimIfMatched > outputClaim
        SetClaimsIfStringsAreEqual inputClaim ; matchTo stringComparison stringMatchMsg? stringMatchMsgCode? > \
        outputClaim1? outputClaim2? stringCompareResultClaim?:boolean
        StringReplace inputClaim ; oldValue newValue > outputClaim
        StringSubstring inputClaim ; startIndex:int length:int > outputClaim
        XmlStringToJsonString xml ; > json
        """.split(separator: "\n").map { Method(String($0), nil) }
}

extension TransformationTable.Method {
    /// Reads a signature: name, inputs ; parameters > outputs. A name without a type is a text, and `?` marks what may be
    /// left out.
    init(_ signature: String, _ run: TransformationTable.Run?) {
        let words = signature.split(separator: " ")
        var lists: [[TransformationTable.Value]] = [[]]
        for word in words.dropFirst() {
            if word == ";" || word == ">" {
                lists.append([])
            } else {
                lists[lists.count - 1].append(TransformationTable.Value(word))
            }
        }
        self.init(name: String(words[0]), inputs: lists[0], parameters: lists[1], outputs: lists[2], run: run)
    }
}

extension TransformationTable.Value {
    init(_ word: Substring) {
        let parts = word.split(separator: ":")
        self.init(
            name: parts[0].filter { $0 != "?" },
            types: parts.count == 2 ? parts[1].split(separator: ",").map(String.init) : ["string"],
            isRequired: !parts[0].hasSuffix("?"))
    }
}
