extension Schema {
    /// The elements of a policy, from Microsoft's TrustFrameworkPolicy_0.3.0.0.xsd.
    ///
    /// A line is the type of an element: its attributes (`!`: required) with their kinds of value, then its children in
    /// order (`?`: at most one, `*`: any number, `+`: one or more), or a kind of text. An element without a line is a text.
    /// The type of a child is named behind `=` if it has not the child's name. Kinds of values are below.
    static let text = """
        TrustFrameworkPolicy(PolicySchemaVersion!:version TenantId!:tenant TenantObjectId:guid PolicyId!:policy \
        PublicPolicyUri! StateTableName DeploymentMode:mode UserJourneyRecorderEndpoint) BasePolicy? PolicyConstraints? \
        Contacts? DocumentReferences? BuildingBlocks? ClaimsProviders? UserJourneys? SubJourneys? RelyingParty?
        BasePolicy() TenantId:tenant PolicyId:policy
        PolicyConstraints() Inheritance? RerouteRules?
        Inheritance(DerivingPolicies!) Tenants? ConstraintHandler?
        Tenants() Tenant+
        Tenant(ReferenceId!:guid)
        ConstraintHandler(Id! Handler!)
        RerouteRules(Type!) RerouteRule*
        RerouteRule(PolicyId! Weight:int Match)
        Contacts() Contact*
        Contact(Id!) DisplayName TelephoneNumber Email Role
        DocumentReferences() DocumentReference*
        DocumentReference(Id!) DisplayName Url
        BuildingBlocks() ClaimsSchema? Predicates? InputValidations? PredicateValidations? ClaimsTransformations? \
        ClientDefinitions? ContentDefinitions? Localization? DisplayControls?
        ClaimsSchema() ClaimType+
        ClaimType(Id! StatementType:statement) DisplayName? DataType?:data DefaultPartnerClaimTypes* Mask? AdminHelpText? \
        UserHelpText? UserInputType?:input Restriction? InputValidationReference? PredicateValidationReference?
        DefaultPartnerClaimTypes() Protocol*=PartnerProtocol
        PartnerProtocol(Name!:protocol Handler PartnerClaimType!)
        Mask(Type!:mask Regex) :text
        Restriction(MergeBehavior:merge) Enumeration* Pattern?
        Enumeration(Text! Value! SelectByDefault:boolean) :text
        Pattern(RegularExpression! HelpText)
        InputValidationReference(Id!)
        PredicateValidationReference(Id!)
        Predicates() Predicate*
        Predicate(Id! Method! HelpText) UserHelpText? Parameters?
        Parameters() Parameter*
        Parameter(Id!) :text
        InputValidations() InputValidation*
        InputValidation(Id!) PredicateReferences*
        PredicateValidations() PredicateValidation*
        PredicateValidation(Id!) PredicateGroups*
        PredicateGroups() PredicateGroup+
        PredicateGroup(Id!) UserHelpText? PredicateReferences*
        PredicateReferences(Id HelpText MatchAtLeast:int Reject:boolean) PredicateReference+
        PredicateReference(Id!)
        ClaimsTransformations() ClaimsTransformation*
        ClaimsTransformation(Id! TransformationMethod!) InputClaims?=TransformationInputs InputParameters? \
        OutputClaims?=TransformationOutputs
        TransformationInputs() InputClaim*=TransformationClaim
        TransformationOutputs() OutputClaim+=TransformationClaim
        TransformationClaim(ClaimTypeReferenceId! TransformationClaimType)
        InputParameters() InputParameter+
        InputParameter(Id! DataType!:data Value!)
        ClientDefinitions() ClientDefinition*
        ClientDefinition(Id!) ClientUIFilterFlags
        ContentDefinitions() ContentDefinition*
        ContentDefinition(Id!) LoadUri? RecoveryUri? DataUri? Metadata? LocalizedResourcesReferences?
        LocalizedResourcesReferences(MergeBehavior:merge) LocalizedResourcesReference*
        LocalizedResourcesReference(Language! Url LocalizedResourcesReferenceId)
        Metadata() Item+
        Item(Key!) :text
        Localization(Enabled:boolean) SupportedLanguages? LocalizedResources*
        SupportedLanguages(DefaultLanguage PolicyLanguage MergeBehavior:merge) SupportedLanguage*
        LocalizedResources(Culture Id) LocalizedCollections? LocalizedStrings?
        LocalizedCollections() LocalizedCollection*
        LocalizedCollection(ElementType! ElementId! TargetCollection!) Item+=Enumeration
        LocalizedStrings() LocalizedString*
        LocalizedString(ElementType! ElementId StringId!) :text
        DisplayControls() DisplayControl*
        DisplayControl(Id! UserInterfaceControlType!:control) InputClaims?=ControlInputs DisplayClaims?=ControlDisplay \
        OutputClaims?=ControlOutputs Actions?
        ControlInputs() InputClaim*=ControlClaim
        ControlOutputs() OutputClaim*=ControlClaim
        ControlClaim(ClaimTypeReferenceId Required:boolean DefaultValue AlwaysUseDefaultValue:boolean)
        ControlDisplay() DisplayClaim*=ControlDisplayClaim
        ControlDisplayClaim(ClaimTypeReferenceId ControlClaimType Required:boolean)
        Actions() Action*
        Action(Id!) ValidationClaimsExchange
        ValidationClaimsExchange() ValidationClaimsExchangeTechnicalProfile+
        ValidationClaimsExchangeTechnicalProfile(TechnicalProfileReferenceId! ContinueOnSuccess:boolean \
        ContinueOnError:boolean) Preconditions*
        ClaimsProviders() ClaimsProvider+
        ClaimsProvider() Domains? Domain? DisplayName? TechnicalProfiles
        Domains() Domain+
        TechnicalProfiles() TechnicalProfile*
        TechnicalProfile(Id!) Domains? Domain? DisplayName? Description? Protocol? InputTokenFormat?:token \
        OutputTokenFormat?:token AssuranceLevelOfOutputClaims? RequiredAssuranceLevelsOfInputClaims? \
        SubjectAuthenticationRequirements? Metadata? CryptographicKeys? Suppressions? PreferredBinding? \
        IncludeInSso?:boolean InputTokenSources? InputClaimsTransformations* InputClaims? DisplayClaims? PersistedClaims? \
        OutputClaims? OutputClaimsTransformations* ValidationTechnicalProfiles* SubjectNamingInfo? Extensions? \
        IncludeClaimsFromTechnicalProfile? IncludeTechnicalProfile? UseTechnicalProfileForSessionManagement? \
        ErrorHandlers? EnabledForUserJourneys?:enabled
        Protocol(Name!:protocol Handler)
        RequiredAssuranceLevelsOfInputClaims() RequiredAssuranceLevelOfInputClaims*
        SubjectAuthenticationRequirements(TimeToLive!:int ResetExpiryWhenTokenIssued:boolean)
        CryptographicKeys() Key+
        Key(Id! StorageReferenceId!)
        Suppressions() Item+=Suppression
        Suppression(Key! Value!)
        InputTokenSources() TechnicalProfile+=TokenSource
        TokenSource(Id!)
        InputClaimsTransformations() InputClaimsTransformation+
        InputClaimsTransformation(ReferenceId!)
        OutputClaimsTransformations() OutputClaimsTransformation+
        OutputClaimsTransformation(ReferenceId!)
        InputClaims() InputClaim*
        InputClaim(ClaimTypeReferenceId! PartnerClaimType Required:boolean DefaultValue AlwaysUseDefaultValue:boolean) From*
        OutputClaims() OutputClaim*
        OutputClaim(ClaimTypeReferenceId! PartnerClaimType Required:boolean DefaultValue AlwaysUseDefaultValue:boolean) From*
        From(TechnicalProfileReferenceId!)
        DisplayClaims() DisplayClaim*
        DisplayClaim(ClaimTypeReferenceId DisplayControlReferenceId Required:boolean)
        PersistedClaims() PersistedClaim*
        PersistedClaim(ClaimTypeReferenceId! PartnerClaimType DefaultValue OverwriteIfExists:boolean \
        AlwaysUseDefaultValue:boolean)
        ValidationTechnicalProfiles() ValidationTechnicalProfile+
        ValidationTechnicalProfile(ReferenceId! ContinueOnSuccess:boolean ContinueOnError:boolean) Preconditions*
        SubjectNamingInfo(ClaimType! NameQualifier SPNameQualifier Format SPProvidedID ExcludeAsClaim:boolean)
        Extensions() :any
        IncludeTechnicalProfile(ReferenceId!)
        UseTechnicalProfileForSessionManagement(ReferenceId!)
        ErrorHandlers() ErrorHandler*
        ErrorHandler() ErrorResponseFormat? ResponseMatch Action=ErrorAction AdditionalRequestParameters*
        AdditionalRequestParameters(Key!) :text
        UserJourneys() UserJourney+
        UserJourney(Id! NonInteractive:boolean DefaultCpimIssuerTechnicalProfileReferenceId) AssuranceLevel? \
        PreserveOriginalAssertion?:boolean Authorization? OrchestrationSteps? ClientDefinition?=ClientReference \
        CryptographicKeys?
        Authorization() AuthorizationTechnicalProfiles?
        AuthorizationTechnicalProfiles() AuthorizationTechnicalProfile+
        AuthorizationTechnicalProfile(ReferenceId!)
        ClientReference(ReferenceId)
        OrchestrationSteps() OrchestrationStep+
        OrchestrationStep(Order!:int Type!:step ContentDefinitionReferenceId CpimIssuerTechnicalProfileReferenceId) \
        Preconditions* ClaimsProviderSelections* ClaimsExchanges* JourneyList*
        Preconditions() Precondition+
        Precondition(Type!:precondition ExecuteActionsIf!:boolean) Value+ Action+:skip=Skip
        ClaimsProviderSelections(DisplayOption:display) ClaimsProviderSelection+
        ClaimsProviderSelection(TargetClaimsExchangeId ValidationClaimsExchangeId)
        ClaimsExchanges(UserIdentity:boolean) ClaimsExchange*
        ClaimsExchange(Id! TechnicalProfileReferenceId!)
        JourneyList() Candidate+
        Candidate(SubJourneyReferenceId!)
        SubJourneys() SubJourney+
        SubJourney(Id! Type!:call) OrchestrationSteps?
        RelyingParty() DefaultUserJourney? Endpoints? UserJourneyBehaviors? TechnicalProfile*
        DefaultUserJourney(ReferenceId!)
        Endpoints() Endpoint+
        Endpoint(Id! UserJourneyReferenceId!)
        UserJourneyBehaviors() SingleSignOn? SessionExpiryType?:expiry SessionExpiryInSeconds?:int \
        AzureApplicationInsights? JourneyInsights? ContentDefinitionParameters? JourneyFraming? ScriptExecution?:script OnError?
        SingleSignOn(Scope!:scope KeepAliveInDays:int EnforceIdTokenHintOnLogout:boolean)
        AzureApplicationInsights(InstrumentationKey!)
        JourneyInsights(InstrumentationKey! TelemetryEngine!:telemetry DeveloperMode:boolean ClientEnabled:boolean \
        ServerEnabled:boolean TelemetryVersion)
        ContentDefinitionParameters() Parameter+=QueryParameter
        QueryParameter(Name!) :text
        JourneyFraming(Enabled!:boolean Sources!)
        OnError(Mode!:error)
        """

    static let values: [String: Set<String>] = [
        "boolean": ["true", "false", "1", "0"], "mode": ["Development", "Production", "Debugging"],
        "statement": ["Attribute", "Authentication", "Subject"], "mask": ["Simple", "Regex"],
        "merge": ["Append", "Prepend", "ReplaceAll"], "call": ["Transfer", "Call"], "script": ["Allow", "Disallow"],
        "protocol": [
            "None", "OAuth1", "OAuth2", "SAML2", "OpenIdConnect", "WsFed", "WsTrust", "UProve11", "Proprietary",
        ],
        "data": [
            "boolean", "date", "dateTime", "duration", "int", "long", "string", "stringCollection",
            "alternativeSecurityIdCollection", "userIdentityCollection", "userIdentity", "phoneNumber",
            "objectIdentityCollection", "objectIdentity",
        ],
        "input": [
            "TextBox", "EmailBox", "DateTimeDropdown", "RadioSingleSelect", "DropdownSingleSelect",
            "CheckboxMultiSelect", "Password", "Readonly", "Button", "Paragraph",
        ],
        "control": [
            "VerificationControl", "QrCodeControl", "AuthenticatorInfoControl", "AuthenticatorAppIconControl",
        ],
        "token": ["JSON", "JWT", "SAML11", "SAML2", "CpimUnsigned", "UProve11", "OAuth2Error"],
        "enabled": [
            "true", "false", "OnClaimsExistence", "Always", "Never", "OnItemExistenceInStringCollectionClaim",
            "OnItemAbsenceInStringCollectionClaim",
        ],
        "step": [
            "ConsentScreen", "ClaimsProviderSelection", "CombinedSignInAndSignUp", "ClaimsExchange", "ReviewScreen",
            "SendClaims", "GetClaims", "UserDialog", "InvokeSubJourney", "Noop",
        ],
        "precondition": ["ClaimsExist", "ClaimEquals"],
        "skip": ["SkipThisOrchestrationStep", "SkipThisValidationTechnicalProfile"],
        "display": ["DoNotShowSingleProvider", "ShowSingleProvider"], "expiry": ["Rolling", "Absolute"],
        "scope": ["Suppressed", "TrustFramework", "Tenant", "Application", "Policy"],
        "telemetry": ["ApplicationInsights"], "error": ["ReturnToRequestor", "DisplayInService"],
    ]

    /// Where an attribute must differ: the element around, the path to those that are compared, the attribute.
    static let keys: [(scope: String, path: [String], attribute: String)] = [
        ("ClaimsSchema", ["ClaimType"], "Id"), ("Predicates", ["Predicate"], "Id"),
        ("InputValidations", ["InputValidation"], "Id"), ("PredicateValidations", ["PredicateValidation"], "Id"),
        ("ClaimsTransformations", ["ClaimsTransformation"], "Id"), ("ClientDefinitions", ["ClientDefinition"], "Id"),
        ("ContentDefinitions", ["ContentDefinition"], "Id"), ("UserJourneys", ["UserJourney"], "Id"),
        ("SubJourneys", ["SubJourney"], "Id"), ("Endpoints", ["Endpoint"], "Id"), ("Metadata", ["Item"], "Key"),
        ("ClaimsProviders", ["ClaimsProvider", "TechnicalProfiles", "TechnicalProfile"], "Id"),
        ("ValidationTechnicalProfiles", ["ValidationTechnicalProfile"], "ReferenceId"),
        ("AuthorizationTechnicalProfiles", ["AuthorizationTechnicalProfile"], "ReferenceId"),
        ("OrchestrationSteps", ["OrchestrationStep"], "Order"),
        ("OrchestrationSteps", ["OrchestrationStep", "ClaimsExchanges", "ClaimsExchange"], "Id"),
    ]
}
