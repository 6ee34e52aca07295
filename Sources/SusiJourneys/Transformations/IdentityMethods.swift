import SusiBase

/// Methods on accounts of social providers (social-transformations) and telephone numbers (phone-number-transformations).
extension TransformationTable {
    static let identities: [Method] = [
        Method(
            """
            AddItemToUserIdentityCollection item:userIdentity collection?:userIdentityCollection ; > \
            collection:userIdentityCollection
            """
        ) { call in
            guard case .userIdentity(let item)? = try? call.value("item")?.converted(to: .userIdentity) else {
                return [:]
            }
            let identities = call.identities("collection")
            return ["collection": .userIdentityCollection(identities.contains(item) ? identities : identities + [item])]
        },
        Method("CreateAlternativeSecurityId key identityProvider ; > alternativeSecurityId") { call throws(Reason) in
            guard let identity = try identity(call, id: "key", issuer: "identityProvider") else { return [:] }
            return ["alternativesecurityid": .string(JSONText.compact(identity.json))]
        },
        Method("CreateUserIdentity issuerUserId issuer ; > userIdentity:userIdentity,string") { call throws(Reason) in
            guard let identity = try identity(call, id: "issuerUserId", issuer: "issuer") else { return [:] }
            return ["useridentity": .userIdentity(identity)]
        },
        Method(
            """
            GetIssuersFromUserIdentityCollectionTransformation userIdentityCollection:userIdentityCollection ; > \
            issuersCollection:stringCollection
            """
        ) { call in
            guard call.value("userIdentityCollection") != nil else { return [:] }
            return ["issuerscollection": .stringCollection(call.identities("userIdentityCollection").map(\.issuer))]
        },
        Method(
            """
            RemoveUserIdentityFromCollectionByIssuer issuer collection:userIdentityCollection ; > \
            collection:userIdentityCollection
            """
        ) { call in
            guard let issuer = call.text("issuer"), call.value("collection") != nil else { return [:] }
            let kept = call.identities("collection").filter { !areEqual($0.issuer, issuer, ignoringCase: true) }
            return ["collection": .userIdentityCollection(kept)]
        },
    ]

    // Issuers are in lower case, as in the documentation's examples (spec §0 C11).
    private static func identity(
        _ call: TransformationCall, id: String, issuer: String
    ) throws(Reason) -> UserIdentity? {
        guard let key = call.text(id), !key.isEmpty else { return nil }
        guard let issuer = call.text(issuer), !issuer.isEmpty else { throw .noInput(issuer) }
        return UserIdentity(issuer: issuer.lowercased(), issuerUserID: Base64.encode(key.utf8))
    }

    static let phoneNumbers: [Method] = [
        Method(
            "ConvertPhoneNumberClaimToString phoneNumber:phoneNumber ; > phoneNumberString",
            copy("phoneNumber", to: "phonenumberstring")),
        Method("ConvertStringToPhoneNumberClaim phoneNumberString country? ; > outputClaim:phoneNumber") {
            call throws(Reason) in
            guard let text = call.text("phoneNumberString"), !text.isEmpty else { return [:] }
            guard let number = PhoneNumber(text, country: call.text("country")) else {
                throw .message(
                    key: "UserMessageIfClaimsTransformationInvalidPhoneNumber", text: "The phone number is not valid.")
            }
            return ["outputclaim": .phoneNumber(number.text)]
        },
        Method(
            """
            GetNationalNumberAndCountryCodeFromPhoneNumberString phoneNumber ; throwExceptionOnFailure?:boolean \
            countryCodeType? > nationalNumber? countryCode?
            """, splitNumber),
    ]

    private static func splitNumber(_ call: TransformationCall) throws(Reason) -> Outputs {
        let forms = ["iso3166": true, "callingcode": false]
        let isCountry =
            call.parameterValue("countryCodeType") == nil ? false : try call.choice("countryCodeType", forms)
        guard let text = call.text("phoneNumber") else { return [:] }
        guard let number = PhoneNumber(text), let country = number.country else {
            // “The phone number still has its original value.”
            guard call.isTrue("throwExceptionOnFailure") else { return [:] }
            throw .message(key: "UserMessageIfPhoneNumberParseFailure", text: "The phone number is not valid.")
        }
        let code = isCountry ? country : "+\(number.callingCode)"
        return ["nationalnumber": .string(number.nationalNumber), "countrycode": .string(code)]
    }
}
