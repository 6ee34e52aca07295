/// What an upload would refuse in the parts of a policy together.
extension Problem {
    // azure-docs#27602
    static func noSuch(_ kind: EffectivePolicy.Kind, _ id: String, _ near: String?) -> Problem {
        error(
            "reference",
            """
            The policy makes a reference to \(kind.rawValue) with id "\(id)" but neither the policy nor any of its base \
            policies contain such an element
            """, near.map { "did you mean “\($0)”?" } ?? "")
    }

    static func includesItself(_ id: String) -> Problem {
        error("reference", "The technical profile \"\(id)\" includes itself, or more than 16 others one in another")
    }

    // samples#391
    static func noMetadata(_ key: String, _ profile: String, _ why: String) -> Problem {
        error(
            "metadata",
            "A required Metadata item with key \"\(key)\" was not found in the TechnicalProfile with id \"\(profile)\"",
            why)
    }

    // starterpack#57
    static func wrongMetadata(_ key: String, _ value: String, _ profile: String, _ why: String = "") -> Problem {
        error(
            "metadata",
            "The TechnicalProfile with id \"\(profile)\" defines an invalid value \"\(value)\" for the metadata item \"\(key)\"",
            why)
    }

    // azure-docs#49246
    static func insecure(_ profile: String) -> Problem {
        error(
            "authentication",
            """
            Profile '\(profile)' uses an insecure authentication mode that is only allowed in production mode policies with \
            metadata key 'AllowInsecureAuthInProduction' set to true.
            """, "AuthenticationType is None, and DeploymentMode is not Development")
    }

    // samples#601
    static func unsupportedAttributes(_ claims: [String], _ profile: String) -> Problem {
        error(
            "directory",
            """
            Output Claim '\(claims.joined(separator: ","))' is not supported in Azure Active Directory Provider technical \
            profile '\(profile)'
            """, "if it is a claim with default value, add AlwaysUseDefaultValue=\"true\" to it")
    }

    // user-migration#32
    static func strongPassword(_ profile: String) -> Problem {
        error(
            "directory",
            "DisableStrongPassword is required in Technical Profile '\(profile)' for custom password complexity",
            "add \"DisablePasswordExpiration, DisableStrongPassword\" into PersistedClaim \"passwordPolicies\"")
    }

    // azure-docs#12948
    static func noInput(_ claim: String, _ profile: String, _ step: String, _ journey: String) -> Problem {
        error(
            "flow",
            """
            Claim type "\(claim)" is the input claim of technical profile "\(profile)" in step "\(step)" of user journey \
            "\(journey)" but it is not an output claim in any of the previous steps.
            """)
    }

    // azure-docs#12948
    static func noOutput(_ claim: String, _ journey: String) -> Problem {
        error(
            "flow",
            """
            Claim type "\(claim)" is the output claim of the relying party's technical profile, but it is not an output \
            claim in any of the steps of user journey "\(journey)".
            """)
    }

    // VC#62, samples#98
    static func exchanges(_ journey: String, _ step: String, _ ids: [String]) -> Problem {
        error(
            "journey",
            """
            User journey "\(journey)" has step \(step) with \(ids.count) claims exchanges. It must be preceded by a claims \
            provider selection in order to determine which claims exchange can be used.
            """, "\(ids.joined(separator: ", ")): a step of a base with the same Order is merged, not replaced")
    }

    // samples#44
    static func noSendClaims(_ journey: String) -> Problem {
        error("journey", "User journey '\(journey)' does not contain a send claims step.")
    }

    // VC#52
    static func order(_ journey: String, _ found: String, _ expected: Int) -> Problem {
        error("journey", "User journey '\(journey)' has a step with Order \(found) where \(expected) must be")
    }

    static func selection(_ text: String, _ hint: String = "") -> Problem { error("selection", text, hint) }

    // samples#214
    static func passwordLink(_ target: String) -> Problem {
        error(
            "selection",
            """
            Claim exchange '\(target)' provided in the request is not one of the available during claims provider \
            selection.
            """, "setting.forgotPasswordLinkOverride names it, and no ClaimsProviderSelection does")
    }

    // samples#513
    static var olderPasswordLink: Problem {
        warning(
            "selection", "setting.forgotPasswordLinkOverride has no effect: the link returns AADB2C90118",
            "its page needs a DataUri of unifiedssp 2.1.2 or newer")
    }

    // samples#605
    static func noDataURI(_ id: String) -> Problem {
        error("page", "A content definition data uri is required: the content definition \"\(id)\" has none")
    }

    // azure-docs#79214, azure-docs#47345
    static func wrongDataURI(_ uri: String, _ why: String) -> Problem {
        error("page", "The specified page contract '\(uri)' is invalid", why)
    }

    // azure-docs#45105
    static func noContract(_ id: String) -> Problem {
        error(
            "page", "Please use page contract in content definitions when enabling JavaScript.",
            "ScriptExecution is Allow, and the DataUri of \"\(id)\" has no :contract:")
    }

    // samples#515
    static func mismatch(_ list: String, _ id: String, _ method: String, _ extra: [String], _ missing: [String])
        -> Problem
    {
        let parts = [
            extra.isEmpty ? "" : " Declared but not expected: \(extra.joined(separator: ", ")).",
            missing.isEmpty ? "" : " Expected but not declared: \(missing.joined(separator: ", ")).",
        ]
        return error(
            "transformation",
            "The \(list) mismatched in ClaimsTransformation with id \"\(id)\" with TransformationMethod \"\(method)\".\(parts.joined())"
        )
    }

    static func unknownMethod(_ method: String, _ near: String?) -> Problem {
        error(
            "transformation", "Unknown TransformationMethod \"\(method)\"", near.map { "did you mean “\($0)”?" } ?? "")
    }
}

/// What fails later, or differs from what is written.
extension Problem {
    // samples#260; two profiles of the starter pack have it.
    static func noSource(_ claim: String, _ profile: String) -> Problem {
        warning(
            "output",
            """
            Output claim type "\(claim)" of "\(profile)" does not specify a UserInputType or a DefaultValue, and is not \
            retrieved from a ValidationTechnicalProfile either
            """)
    }

    // custom-policy-reference-sso
    static func noSession(_ profile: String) -> Problem {
        warning(
            "session", "\"\(profile)\" has no UseTechnicalProfileForSessionManagement",
            "the service may skip it when the user has a session; name SM-Noop to run it always")
    }

    // azure-docs#48202
    static func requiredParagraph(_ claim: String) -> Problem {
        warning("output", "\"\(claim)\" is a Paragraph and required: the page never accepts it", "remove Required")
    }

    static func comparison(_ claim: String, _ value: String) -> Problem {
        warning(
            "comparison", "The boolean claim \"\(claim)\" is compared with \"\(value)\" and never equals it",
            "write True or False: the comparison is case-sensitive")
    }

    static func literalResolver(_ resolver: String) -> Problem {
        warning(
            "resolver", "\(resolver) stays as it is: its technical profile does not resolve claims",
            "add <Item Key=\"IncludeClaimResolvingInClaimsHandling\">true</Item> to its Metadata")
    }

    static func parameterType(_ id: String, _ found: String, _ expected: String) -> Problem {
        warning("parameter", "The parameter \"\(id)\" is a \(found), and the method casts it to \(expected)")
    }

    static func unknownParameter(_ id: String, _ method: String) -> Problem {
        warning("parameter", "The method \(method) has no parameter \"\(id)\"")
    }

    static func unlistedOutput(_ claim: String, _ validation: String, _ profile: String) -> Problem {
        warning(
            "output", "\"\(claim)\" of the validation profile \"\(validation)\" does not leave \"\(profile)\"",
            "a later step needs it: add it to the OutputClaims of \"\(profile)\"")
    }

    static func unkeptHint(_ claim: String) -> Problem {
        warning(
            "flow", "\"\(claim)\" of the ID token hint is not an input claim of the relying party", "it is not kept")
    }

    static let differentHash = note(
        "difference", "The method Hash gives another value than the service",
        "how the service joins text, salt and secret is not public")

    static func unsupportedPattern(_ pattern: String) -> Problem {
        note(
            "unsupported", "susi does not run the regular expression “\(pattern.prefix(80))”",
            "no value is held against it; lookbehind is not supported")
    }

    static func invalidFormat(_ format: String) -> Problem {
        warning(
            "parameter", "The format “\(format.prefix(80))” fails when it is used",
            "write {0} for a claim and {{ for a brace; susi supports no widths")
    }

    static func unsupported(_ what: String, reached: String?) -> Problem {
        note("unsupported", "susi does not run \(what)", reached.map { "reached in \($0)" } ?? "not reached")
    }
}
