/// What each method of a claims transformation takes and gives, from Microsoft's reference.
enum TransformationTable {
    struct Method: Sendable {
        let inputs: [Value]
        let parameters: [Value]
        let outputs: [Value]
        let isSupported: Bool
    }

    /// A claim or parameter of a method. `any` is any type; `*` stands for names that the policy chooses.
    struct Value: Sendable {
        let name: String
        let types: [String]
        let isRequired: Bool
    }

    /// By name in lower case.
    static let methods: [String: Method] = Dictionary(
        uniqueKeysWithValues: text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            var lists: [[Value]] = [[]]
            for word in words.dropFirst() where word != "~" {
                if word == ";" || word == ">" { lists.append([]) } else { lists[lists.count - 1].append(Value(word)) }
            }
            let method = Method(
                inputs: lists[0], parameters: lists[1], outputs: lists[2], isSupported: words.last != "~")
            return (words[0].lowercased(), method)
        })

    static let names = text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }

    // Method, inputs ; parameters > outputs. A name without a type is a text, `?` marks what may be left out, and `~` a
    // method that susi does not run.
    private static let text = """
        AddItemToStringCollection item collection?:stringCollection ; > collection:stringCollection
        AddItemToAlternativeSecurityIdCollection item collection?:alternativeSecurityIdCollection ; > \
        collection:alternativeSecurityIdCollection ~
        AddItemToUserIdentityCollection item:userIdentity collection?:userIdentityCollection ; > \
        collection:userIdentityCollection
        AddParameterToStringCollection collection?:stringCollection ; item > collection:stringCollection
        AdjustNumber inputClaim:int,long ; Operator > outputClaim:int,long ~
        AndClaims inputClaim1:boolean inputClaim2:boolean ; > outputClaim:boolean
        AssertBooleanClaimIsEqualToValue inputClaim:boolean ; valueToCompareTo:boolean >
        AssertDateTimeIsGreaterThan leftOperand rightOperand ; AssertIfEqualTo?:boolean \
        AssertIfRightOperandIsNotPresent?:boolean TreatAsEqualIfWithinMillseconds?:int >
        AssertNumber inputClaim:int,long ; Operator CompareToValue:int throwError?:boolean > outputClaim?:boolean ~
        AssertStringClaimsAreEqual inputClaim1 inputClaim2 ; stringComparison >
        BuildUri * ; * > * ~
        ChangeCase inputClaim1 ; toCase > outputClaim
        CompareBooleanClaimToValue inputClaim:boolean ; valueToCompareTo:boolean > compareResult:boolean ~
        CompareClaims inputClaim1 inputClaim2 ; operator ignoreCase?:string,boolean > outputClaim:boolean
        CompareClaimToValue inputClaim1 ; operator compareTo ignoreCase?:string,boolean > outputClaim:boolean
        ConvertDateTimeToDateClaim inputClaim:dateTime ; > outputClaim:date ~
        ConvertDateToDateTimeClaim inputClaim:date ; > outputClaim:dateTime ~
        ConvertNumberToStringClaim inputClaim:int,long ; > outputClaim
        ConvertPhoneNumberClaimToString phoneNumber:phoneNumber ; > phoneNumberString
        ConvertStringToPhoneNumberClaim phoneNumberString country? ; > outputClaim:phoneNumber
        CopyClaim inputClaim:any ; > outputClaim:any
        CopyClaimIfPredicateMatch inputClaim ; > outputClaim
        CreateAlternativeSecurityId key identityProvider ; > alternativeSecurityId
        CreateJsonArray inputClaim ; > outputClaim ~
        CreateOtpSecret * ; * > * ~
        CreateRandomString ; randomGeneratorType stringFormat? base64?:boolean maximumNumber?:int seed?:int > outputClaim
        CreateStringClaim ; value > createdClaim
        CreateUserIdentity issuerUserId issuer ; > userIdentity:userIdentity,string
        DateTimeComparison firstDateTime:dateTime secondDateTime?:dateTime ; operator timeSpanInSeconds?:int > result:boolean
        DoesClaimExist inputClaim:any ; > outputClaim:boolean
        FormatLocalizedString * ; * > outputClaim ~
        FormatStringClaim inputClaim ; stringFormat > outputClaim
        FormatStringMultipleClaims inputClaim1 inputClaim2 ; stringFormat > outputClaim
        GenerateJson * ; * > outputClaim
        GetAgeGroupAndConsentProvided * ; * > * ~
        GetAgeGroupConsentProvidedAndRequiresConsent * ; * > * ~
        GetClaimFromJson inputJson ; claimToExtract > extractedClaim
        GetClaimsFromJsonArray jsonSource ; * > * ~
        GetClaimsFromJsonArrayV2 jsonSource:any ; * > * ~
        GetCurrentDateTime ; > currentDateTime:dateTime
        GetIdentityProvidersFromAlternativeSecurityIdCollectionTransformation \
        alternativeSecurityIdCollection:alternativeSecurityIdCollection ; > \
        identityProvidersCollection:stringCollection ~
        GetIssuersFromUserIdentityCollectionTransformation userIdentityCollection:userIdentityCollection ; > \
        issuersCollection:stringCollection
        GetLocalizedStringsTransformation ; > *
        GetMappedValueFromLocalizedCollection mapFromClaim ; > restrictionValueClaim
        GetNationalNumberAndCountryCodeFromPhoneNumberString phoneNumber ; throwExceptionOnFailure:boolean countryCodeType > \
        nationalNumber? countryCode?
        GetNumericClaimFromJson inputJson ; claimToExtract > extractedClaim:long ~
        GetSingleItemFromJson inputJson ; > key value
        GetSingleItemFromStringCollection collection:stringCollection ; > extractedItem
        GetSingleValueFromJsonArray inputJsonClaim ; > extractedClaim ~
        GuidAndRandomGenerator * ; * > *
        Hash plaintext salt ; randomizerSecret > hash
        IsTermsOfUseConsentRequired termsOfUseConsentDateTime:dateTime ; termsOfUseTextUpdateDateTime:dateTime,string > result:boolean
        LookupValue inputParameterId ; * errorOnFailedLookup?:boolean > outputClaim
        NotClaims inputClaim:boolean ; > outputClaim:boolean
        NullClaim ; > claim_to_null:any
        OrClaims inputClaim1:boolean inputClaim2:boolean ; > outputClaim:boolean
        ParseDomain emailAddress ; > domain
        RemoveAlternativeSecurityIdByIdentityProvider * ; * > * ~
        RemoveUserIdentityFromCollectionByIssuer issuer collection:userIdentityCollection ; > \
        collection:userIdentityCollection
        SetClaimIfBooleansMatch claimToMatch:boolean ; matchTo outputClaimIfMatched > outputClaim ~
        SetClaimsIfRegexMatch claimToMatch ; matchTo outputClaimIfMatched? extractGroups?:boolean > * \
        outputClaim? regexCompareResultClaim?:boolean
        SetClaimsIfStringsAreEqual inputClaim ; matchTo stringComparison stringMatchMsg? stringMatchMsgCode? > outputClaim1? \
        outputClaim2? stringCompareResultClaim?:boolean ~
        SetClaimsIfStringsMatch claimToMatch ; matchTo stringComparison outputClaimIfMatched > \
        outputClaim stringCompareResultClaim?:boolean
        StringCollectionContains inputClaim:stringCollection ; item ignoreCase > outputClaim:boolean
        StringCollectionContainsClaim collection:stringCollection item ; ignoreCase > outputClaim:boolean
        StringContains inputClaim ; contains ignoreCase > outputClaim:boolean
        StringJoin inputClaim:stringCollection ; delimiter > outputClaim
        StringReplace inputClaim ; oldValue newValue > outputClaim ~
        StringSplit inputClaim ; delimiter > outputClaim:stringCollection
        StringSubstring inputClaim ; startIndex:int length:int > outputClaim ~
        XmlStringToJsonString xml ; > json ~
        """
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
