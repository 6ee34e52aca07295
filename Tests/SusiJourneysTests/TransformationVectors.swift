extension TransformationVector {
    static func all() throws -> [TransformationVector] {
        try lines.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try TransformationVector(String($0)) }
    }

    // The worked examples of the documentation and of the public unit tests (spec §4), and what they leave open. The
    // hash of the fixture is the text itself, and its random numbers are zeros.
    private static let lines = #"""
        ChangeCase | inputClaim1=SomeOne@contoso.com | toCase=LOWER | outputClaim=someone@contoso.com
        ChangeCase | inputClaim1=a | toCase=upper | outputClaim=A
        ChangeCase | inputClaim1=a | toCase=x | ! invalid(toCase)
        ChangeCase | inputClaim1=- | toCase=upper |
        ConvertNumberToStringClaim | inputClaim:long=12334 | | outputClaim=12334
        ConvertNumberToStringClaim | inputClaim=-1 | | outputClaim=-1
        ConvertNumberToStringClaim | inputClaim=- | |
        CopyClaim | inputClaim:boolean=true | | outputClaim:boolean=true
        CopyClaim | inputClaim:stringCollection=["a"] | | outputClaim:stringCollection=["a"]
        CopyClaim | inputClaim=- | |
        CreateStringClaim | | value=Contoso terms of service... | createdClaim=Contoso terms of service...
        CreateStringClaim | | value={OIDC:ClientId} {policy} {TrustFrameworkTenantId} {TechnicalProfileId} | createdClaim={OIDC:ClientId} B2C_1A_P contoso.onmicrosoft.com Profile
        FormatStringClaim | inputClaim=5164db16 | stringFormat=cpim_{0}@{RelyingPartyTenantId} | outputClaim=cpim_5164db16@contoso.onmicrosoft.com
        # What is inserted is no part of the format.
        FormatStringClaim | inputClaim={tenant}{0} | stringFormat={{{0:D9}}} | outputClaim={{tenant}{0}}
        FormatStringClaim | inputClaim=- | stringFormat={0} |
        FormatStringClaim | inputClaim=a | stringFormat={1} | ! invalid(stringFormat)
        FormatStringClaim | inputClaim=a | stringFormat={0 | ! invalid(stringFormat)
        FormatStringClaim | inputClaim=a | stringFormat=0} | ! invalid(stringFormat)
        FormatStringClaim | inputClaim=a | stringFormat={0,999999999} | ! invalid(stringFormat)
        FormatStringClaim | inputClaim=a | | ! noParameter(stringFormat)
        FormatStringMultipleClaims | inputClaim1=Joe; inputClaim2=Fernando | stringFormat={0} {1} | outputClaim=Joe Fernando
        FormatStringMultipleClaims | inputClaim1=-; inputClaim2=F | stringFormat={1}-{0} | outputClaim=F-
        Hash | plaintext=a; salt=b | randomizerSecret=B2C_1A_Secret | hash=YWJrZXk=
        Hash | plaintext=-; salt=b | randomizerSecret=B2C_1A_Secret |
        Hash | plaintext=a; salt=b | randomizerSecret=B2C_1A_X | ! invalid(randomizerSecret)
        LookupValue | inputParameterId=test.com | contoso.com=1; test.com=c7026f88; errorOnFailedLookup=false | outputClaim=c7026f88
        LookupValue | inputParameterId=TEST | test=1 | outputClaim=1
        LookupValue | inputParameterId=other | test=1 | outputClaim=-
        LookupValue | inputParameterId=errorOnFailedLookup | errorOnFailedLookup=false | outputClaim=-
        LookupValue | inputParameterId=other | errorOnFailedLookup=true | ! message(key: LookupNotFound, text: No match found for the input claim value in the list of input parameter IDs and errorOnFailedLookup is true.)
        LookupValue | inputParameterId=- | errorOnFailedLookup=true |
        NullClaim | | | claim_to_null=-
        ParseDomain | emailAddress=joe@outlook.com | | domain=outlook.com
        ParseDomain | emailAddress=joe | |
        AdjustNumber | inputClaim=1 | Operator=INCREMENT | ! notSupported(method: AdjustNumber)

        AssertStringClaimsAreEqual | inputClaim1=someone@contoso.com; inputClaim2=someone@outlook.com | stringComparison=ordinalIgnoreCase | ! message(key: UserMessageIfClaimsTransformationStringsAreNotEqual, text: Claim value comparison failed using StringComparison \OrdinalIgnoreCase\.)
        AssertStringClaimsAreEqual | inputClaim1=a; inputClaim2=A | stringComparison=ORDINAL | ! message(key: UserMessageIfClaimsTransformationStringsAreNotEqual, text: Claim value comparison failed using StringComparison \Ordinal\.)
        AssertStringClaimsAreEqual | inputClaim1=a; inputClaim2=A | stringComparison=ordinalIgnoreCase |
        AssertStringClaimsAreEqual | inputClaim1=-; inputClaim2=a | stringComparison=ordinal | ! message(key: UserMessageIfClaimsTransformationStringsAreNotEqual, text: Claim value comparison failed using StringComparison \Ordinal\.)
        CompareClaims | inputClaim1=someone@contoso.com; inputClaim2=someone@outlook.com | operator=NOT EQUAL; ignoreCase=true | outputClaim=true
        CompareClaims | inputClaim1=abc; inputClaim2=ABC | operator=equal; ignoreCase=True | outputClaim=true
        CompareClaims | inputClaim1=abc; inputClaim2=ABC | operator=EQUAL | outputClaim=false
        # One character for a reader, and two for .NET.
        CompareClaims | inputClaim1=é; inputClaim2=é | operator=EQUAL | outputClaim=false
        CompareClaims | inputClaim1=-; inputClaim2=- | operator=EQUAL | outputClaim=true
        CompareClaims | inputClaim1=-; inputClaim2=a | operator=EQUAL | outputClaim=false
        CompareClaims | inputClaim1=a; inputClaim2=a | operator== | ! invalid(operator)
        CompareClaimToValue | inputClaim1=v1 | compareTo=V1; operator=EQUAL; ignoreCase=true | outputClaim=true
        CompareClaimToValue | inputClaim1=- | compareTo=V1; operator=not equal | outputClaim=true
        DoesClaimExist | inputClaim=someone@contoso.com | | outputClaim=true
        DoesClaimExist | inputClaim=- | | outputClaim=false
        DoesClaimExist | inputClaim= | | outputClaim=false
        DoesClaimExist | inputClaim:boolean=false | | outputClaim=true
        SetClaimsIfRegexMatch | claimToMatch=64854114520 | matchTo=^[0-9]{4,16}$; outputClaimIfMatched=isPhone | outputClaim=isPhone; regexCompareResultClaim=true
        SetClaimsIfRegexMatch | claimToMatch=64 | matchTo=^[0-9]{4,16}$; outputClaimIfMatched=x | outputClaim=-; regexCompareResultClaim=false
        SetClaimsIfRegexMatch | claimToMatch=- | matchTo=.*; outputClaimIfMatched=x | outputClaim=-; regexCompareResultClaim=false
        SetClaimsIfRegexMatch | claimToMatch=emily@contoso.com | matchTo=(?<user>.*)@(?<rest>.*)$; extractGroups=true | outputClaim=-; regexCompareResultClaim=true; user=emily
        SetClaimsIfRegexMatch | claimToMatch=emily@contoso.com | matchTo=(?<outputClaim>.*)@; outputClaimIfMatched=x | outputClaim=x; regexCompareResultClaim=true
        SetClaimsIfRegexMatch | claimToMatch=a | matchTo=(?<=a)b | ! invalid(matchTo)
        SetClaimsIfStringsMatch | claimToMatch=Minor | matchTo=minor; stringComparison=ordinalIgnoreCase; outputClaimIfMatched=B2C_V1_90001 | outputClaim=B2C_V1_90001; stringCompareResultClaim=true
        SetClaimsIfStringsMatch | claimToMatch=Minor | matchTo=minor; stringComparison=ordinal; outputClaimIfMatched=x | outputClaim=-; stringCompareResultClaim=false
        StringContains | inputClaim=Admin, Approver, Editor | contains=admin,; ignoreCase=true | outputClaim=true
        StringContains | inputClaim=Contributors and readers | contains=READERS; ignoreCase=true | outputClaim=true
        StringContains | inputClaim=Contributors and readers | contains=READERS; ignoreCase=false | outputClaim=false
        StringContains | inputClaim=é | contains=e; ignoreCase=false | outputClaim=true
        StringContains | inputClaim=- | contains=a; ignoreCase=true |
        # azure-docs#93116
        StringContains | inputClaim=a | contains=a; ignoreCase:boolean=true | ! parameterType(ignoreCase, found: boolean, expected: string)

        AndClaims | inputClaim1=true; inputClaim2=false | | outputClaim=false
        AndClaims | inputClaim1=true; inputClaim2=true | | outputClaim=true
        AndClaims | inputClaim1=false; inputClaim2=- | | ! noInput(inputClaim2)
        AssertBooleanClaimIsEqualToValue | inputClaim=false | valueToCompareTo=true | ! message(key: UserMessageIfClaimsTransformationBooleanValueIsNotEqual, text: Boolean claim value comparison failed for claim type \inputClaim\.)
        AssertBooleanClaimIsEqualToValue | inputClaim=- | valueToCompareTo=false | ! message(key: UserMessageIfClaimsTransformationBooleanValueIsNotEqual, text: Boolean claim value comparison failed for claim type \inputClaim\.)
        AssertBooleanClaimIsEqualToValue | inputClaim=true | valueToCompareTo=true |
        NotClaims | inputClaim=false | | outputClaim=true
        NotClaims | inputClaim=- | | ! noInput(inputClaim)
        OrClaims | inputClaim1=true; inputClaim2=false | | outputClaim=true
        OrClaims | inputClaim1=false; inputClaim2=false | | outputClaim=false

        AssertDateTimeIsGreaterThan | leftOperand=2022-01-01T15:00:00; rightOperand=2022-01-22T15:00:00 | AssertIfEqualTo=false; AssertIfRightOperandIsNotPresent=true; TreatAsEqualIfWithinMillseconds=300000 | ! message(key: DateTimeGreaterThan, text: Claim value comparison failed: The provided left operand is greater than the right operand.)
        AssertDateTimeIsGreaterThan | leftOperand=2022-03-16T00:00:00Z; rightOperand=2022-01-01T00:00:00Z | |
        AssertDateTimeIsGreaterThan | leftOperand=2022-01-01T15:00:00; rightOperand=2022-01-01T15:00:10 | AssertIfEqualTo=false; TreatAsEqualIfWithinMillseconds=300000 |
        AssertDateTimeIsGreaterThan | leftOperand=2022-01-01T15:05:00.001; rightOperand=2022-01-01T15:00:00 | AssertIfEqualTo=true; TreatAsEqualIfWithinMillseconds=300000 |
        AssertDateTimeIsGreaterThan | leftOperand=2022-01-01T15:05:00; rightOperand=2022-01-01T15:00:00 | AssertIfEqualTo=true; TreatAsEqualIfWithinMillseconds=300000 | ! message(key: DateTimeGreaterThan, text: Claim value comparison failed: The provided left operand is greater than the right operand.)
        AssertDateTimeIsGreaterThan | leftOperand=2022-01-01; rightOperand=2022-01-01 | | ! message(key: DateTimeGreaterThan, text: Claim value comparison failed: The provided left operand is greater than the right operand.)
        AssertDateTimeIsGreaterThan | leftOperand=2022-01-01; rightOperand=- | AssertIfRightOperandIsNotPresent=true |
        AssertDateTimeIsGreaterThan | leftOperand=2022-01-01; rightOperand=- | | ! message(key: DateTimeGreaterThan, text: Claim value comparison failed: The provided left operand is greater than the right operand.)
        AssertDateTimeIsGreaterThan | leftOperand=-; rightOperand=2022-01-01 | | ! noInput(leftOperand)
        AssertDateTimeIsGreaterThan | leftOperand=2022-01-01; rightOperand=never | | ! invalid(rightOperand)
        DateTimeComparison | firstDateTime=2022-01-01T00:00:00.1Z; secondDateTime=2022-03-16T00:00:00.1Z | operator=later than; timeSpanInSeconds=7776000 | result=true
        DateTimeComparison | firstDateTime=2022-01-01; secondDateTime=2022-01-01 | operator=same | result=true
        DateTimeComparison | firstDateTime=2022-01-01; secondDateTime=2022-01-01 | operator=Later Than | result=false
        DateTimeComparison | firstDateTime=2022-01-01; secondDateTime=2022-01-01 | operator=earlier than; timeSpanInSeconds=0 | result=false
        DateTimeComparison | firstDateTime=2022-01-01T00:00:10Z; secondDateTime=2022-01-01 | operator=earlier than; timeSpanInSeconds=-11 | result=true
        # The time of the fixture is 2022-01-01T00:00:00.25Z.
        DateTimeComparison | firstDateTime=2022-01-01; secondDateTime=- | operator=earlier than; timeSpanInSeconds=0 | result=true
        DateTimeComparison | firstDateTime=2022-01-01; secondDateTime=- | operator=greater than; timeSpanInSeconds=1 | result=true
        DateTimeComparison | firstDateTime=-; secondDateTime=2022-01-01 | operator=same | ! noInput(firstDateTime)
        GetCurrentDateTime | | | currentDateTime=2022-01-01T00:00:00.25Z
        IsTermsOfUseConsentRequired | termsOfUseConsentDateTime=2022-03-01 | termsOfUseTextUpdateDateTime=2022-01-15T00:00:00 | result=false
        IsTermsOfUseConsentRequired | termsOfUseConsentDateTime=2020-03-09T09:15:00 | termsOfUseTextUpdateDateTime:string=2021-11-15T00:00:00 | result=true
        IsTermsOfUseConsentRequired | termsOfUseConsentDateTime=- | termsOfUseTextUpdateDateTime=2022-01-15 | result=true
        IsTermsOfUseConsentRequired | termsOfUseConsentDateTime=2022-01-15 | termsOfUseTextUpdateDateTime=2022-01-15 | result=false

        AddItemToStringCollection | item=admin@contoso.com; collection=["someone@outlook.com"] | | collection=["someone@outlook.com", "admin@contoso.com"]
        AddItemToStringCollection | item=a; collection=["a", "b"] | | collection=["a", "b"]
        AddItemToStringCollection | item=-; collection=["a"] | |
        AddItemToStringCollection | item=a; collection=- | | collection=["a"]
        AddParameterToStringCollection | collection=["a"] | item=b | collection=["a", "b"]
        GetSingleItemFromStringCollection | collection=["someone@outlook.com", "x"] | | extractedItem=someone@outlook.com
        GetSingleItemFromStringCollection | collection=[] | |
        StringCollectionContains | inputClaim=["reader", "author", "admin"] | item=Admin; ignoreCase=true | outputClaim=true
        StringCollectionContains | inputClaim=["admin"] | item=Admin; ignoreCase=false | outputClaim=false
        StringCollectionContainsClaim | collection=["reader", "author", "admin"]; item=Admin | ignoreCase=true | outputClaim=true
        StringCollectionContainsClaim | collection=["adm"]; item=admin | ignoreCase=true | outputClaim=false
        StringJoin | inputClaim=["Admin", "Author", "Reader"] | delimiter=, | outputClaim=Admin,Author,Reader
        StringSplit | inputClaim=Admin,Author,,Reader | delimiter=, | outputClaim=["Admin", "Author", "", "Reader"]
        StringSplit | inputClaim=a | delimiter= | ! invalid(delimiter)

        GenerateJson | a.flag:boolean=true; a.int:int=1; a.text=b"c; a.time:dateTime=1970-01-01 | a.properties.FixedLong:long=123456789 | outputClaim={"a":{"flag":true,"int":1,"text":"b\"c","time":"1970-01-01T00:00:00Z","properties":{"FixedLong":123456789}}}
        GenerateJson | customerEntity.email=john.s@contoso.com; customerEntity.lastName=["S"] | customerEntity.role.name=Administrator; customerEntity.role.id:long=1 | outputClaim={"customerEntity":{"email":"john.s@contoso.com","lastName":"[\"S\"]","role":{"name":"Administrator","id":1}}}
        GenerateJson | to.0.email=a; to.1.email=b; to.1.name=-; to.0.name=c | from= | outputClaim={"to":[{"email":"a","name":"c"},{"email":"b"}],"from":""}
        GenerateJson | to.1=a | | ! invalid(to.1)
        GenerateJson | to=a; to.name=b | | ! invalid(to.name)
        GenerateJson | to.0=a; to.name=b | | ! invalid(to.name)
        GenerateJson | to.name=a; to.0=b | | ! invalid(to.0)
        GetClaimFromJson | inputJson={"emailAddress":"emily@live.com","n":1} | claimToExtract=emailAddress | extractedClaim=emily@live.com
        GetClaimFromJson | inputJson={"n":1} | claimToExtract=n | extractedClaim=1
        GetClaimFromJson | inputJson={"n":null} | claimToExtract=n | extractedClaim=-
        # The unit tests say that the policy does not go on.
        GetClaimFromJson | inputJson={"n":1} | claimToExtract=m | ! noMember(m)
        GetClaimFromJson | inputJson={ | claimToExtract=m | ! invalid(inputJson)
        GetClaimFromJson | inputJson=[] | claimToExtract=m | ! invalid(inputJson)
        GetClaimFromJson | inputJson=- | claimToExtract=m |
        GetSingleItemFromJson | inputJson={"givenName": "Emilty", "lastName": "Smith"} | | key=givenName; value=Emilty
        GetSingleItemFromJson | inputJson={} | | ! noMember()

        AddItemToUserIdentityCollection | item={"issuer":"b","issuerUserId":"2"}; collection=[{"issuer":"a","issuerUserId":"1"}] | | collection=[{"issuer":"a","issuerUserId":"1"},{"issuer":"b","issuerUserId":"2"}]
        AddItemToUserIdentityCollection | item={"issuer":"b","issuerUserId":"2"}; collection=- | | collection=[{"issuer":"b","issuerUserId":"2"}]
        AddItemToUserIdentityCollection | item={"issuer":"b","issuerUserId":"2"}; collection=[{"issuer":"b","issuerUserId":"2"}] | | collection=[{"issuer":"b","issuerUserId":"2"}]
        AddItemToUserIdentityCollection | item=-; collection=[{"issuer":"a","issuerUserId":"1"}] | |
        CreateAlternativeSecurityId | key=12345; identityProvider=Facebook.com | | alternativeSecurityId={"issuer":"facebook.com","issuerUserId":"MTIzNDU="}
        CreateAlternativeSecurityId | key=-; identityProvider=Facebook.com | |
        CreateAlternativeSecurityId | key=; identityProvider=Facebook.com | |
        CreateAlternativeSecurityId | key=1; identityProvider=- | | ! noInput(identityProvider)
        CreateUserIdentity | issuerUserId=12345; issuer=Facebook.com | | userIdentity={"issuer":"facebook.com","issuerUserId":"MTIzNDU="}
        CreateUserIdentity | issuerUserId=12345; issuer=Facebook.com | | userIdentity:string={"issuer":"facebook.com","issuerUserId":"MTIzNDU="}
        GetIssuersFromUserIdentityCollectionTransformation | userIdentityCollection=[{"issuer":"google.com","issuerUserId":"1"},{"issuer":"facebook.com","issuerUserId":"2"}] | | issuersCollection=["google.com","facebook.com"]
        RemoveUserIdentityFromCollectionByIssuer | issuer=Google.com; collection=[{"issuer":"google.com","issuerUserId":"1"},{"issuer":"facebook.com","issuerUserId":"2"}] | | collection=[{"issuer":"facebook.com","issuerUserId":"2"}]

        ConvertPhoneNumberClaimToString | phoneNumber=+11234567890 | | phoneNumberString=+11234567890
        ConvertStringToPhoneNumberClaim | phoneNumberString=+1 (123) 456-7890 | | outputClaim=+11234567890
        ConvertStringToPhoneNumberClaim | phoneNumberString=033 456-7890; country=DK | | outputClaim=+450334567890
        ConvertStringToPhoneNumberClaim | phoneNumberString=0151 234-567; country=de | | outputClaim=+49151234567
        ConvertStringToPhoneNumberClaim | phoneNumberString=123 456-7890 | | ! message(key: UserMessageIfClaimsTransformationInvalidPhoneNumber, text: The phone number is not valid.)
        ConvertStringToPhoneNumberClaim | phoneNumberString=- | |
        GetNationalNumberAndCountryCodeFromPhoneNumberString | phoneNumber=+49 (123) 456-7890 | throwExceptionOnFailure=false; countryCodeType=ISO3166 | nationalNumber=1234567890; countryCode=DE
        GetNationalNumberAndCountryCodeFromPhoneNumberString | phoneNumber=+49 (123) 456-7890 | throwExceptionOnFailure=false; countryCodeType=CallingCode | nationalNumber=1234567890; countryCode=+49
        GetNationalNumberAndCountryCodeFromPhoneNumberString | phoneNumber=none | throwExceptionOnFailure=false; countryCodeType=ISO3166 |
        GetNationalNumberAndCountryCodeFromPhoneNumberString | phoneNumber=+4912345678 | | nationalNumber=12345678; countryCode=+49
        GetNationalNumberAndCountryCodeFromPhoneNumberString | phoneNumber=none | throwExceptionOnFailure=true; countryCodeType=ISO3166 | ! message(key: UserMessageIfPhoneNumberParseFailure, text: The phone number is not valid.)

        CreateRandomString | | randomGeneratorType=INTEGER; maximumNumber=1000; stringFormat=OTP_{0:000} | outputClaim=OTP_000
        CreateRandomString | | randomGeneratorType=integer; stringFormat=ID_{0:D2}; base64=true | outputClaim=SURfMDA=
        CreateRandomString | | randomGeneratorType=GUID | outputClaim=00000000-0000-4000-8000-000000000000
        CreateRandomString | | randomGeneratorType=INTEGER; seed=1 | outputClaim=465
        CreateRandomString | | randomGeneratorType=INTEGER; maximumNumber=0 | ! invalid(maximumNumber)
        CreateRandomString | | randomGeneratorType=INTEGER; stringFormat={0:D}-{0:}-{0} | outputClaim=0-0-0
        CreateRandomString | | randomGeneratorType=INTEGER; stringFormat={0:01} | ! invalid(stringFormat)
        CreateRandomString | | randomGeneratorType=INTEGER; stringFormat={0:D100} | ! invalid(stringFormat)
        CreateRandomString | | randomGeneratorType=INTEGER; stringFormat={0:x} | ! invalid(stringFormat)
        CreateRandomString | | randomGeneratorType=x | ! invalid(randomGeneratorType)
        GuidAndRandomGenerator | | randomGeneratorType=GUID | outputClaim=00000000-0000-4000-8000-000000000000
        """#
}
