import SusiOAuth

/// The words of OAuth, OpenID Connect and Microsoft's services that a recording may contain; everything else is described.
enum ProtocolWords {
    /// The names of members and claims that are written as they are. Any other name may be the tenant's own.
    static let names = words(
        """
        access_token account_type acct acr acrs aio alg aliases amr api-version appid appidacr at_hash aud auth_time \
        authorization_endpoint azp azpacr binding_method birthdate c_hash challenge_channel challenge_target_label \
        challenge_type check_session_iframe city claims claims_parameter_supported claims_supported client_info \
        cloud_audience_urn cloud_graph_host_name cloud_instance_host_name cloud_instance_name code \
        code_challenge_methods_supported code_length continuation_token correlationId correlation_id country ctry \
        device_authorization_endpoint device_code domain_name e email email_verified emails end_session_endpoint error \
        error_codes error_description error_uri exp expires_in expires_on ext_expires_in family_name foci \
        frontchannel_logout_session_supported frontchannel_logout_supported gender given_name grant_types_supported \
        groups http_logout_supported iat id_token id_token_expires_in id_token_signing_alg_values_supported idp \
        idp_access_token in_corp interval ipaddr isForgotPassword iss issuer jobTitle jti jwks_uri kerberos_endpoint keys \
        kid kty locale login_hint message metadata middle_name msgraph_host n name nbf newUser nickname nonce not_before \
        oid options phone phone_number phone_number_verified picture poll_interval postalCode preferred_cache \
        preferred_network preferred_username profile profile_info rbac_url refresh_token refresh_token_expires_in regex \
        registration_endpoint request_parameter_supported request_uri_parameter_supported required required_attributes \
        resource response_modes_supported response_types_supported revocation_endpoint rh roles scope scopes_supported \
        scp session_state sid signInName signInNames.emailAddress state status streetAddress sub subject_types_supported \
        suberror surname tenant_discovery_endpoint tenant_region_scope tfp tid timestamp token_endpoint \
        token_endpoint_auth_methods_supported token_endpoint_auth_signing_alg_values_supported token_type trace_id typ \
        type uid unique_name updated_at upn use user_code userinfo_endpoint uti utid ver verification_uri \
        verification_uri_complete website wids x5c x5t xms_cc xms_ftd xms_idrel xms_st zoneinfo
        """)

    /// The values that are written as they are, by the name of their member. No claim about a person is among them.
    static let values: [String: Set<String>] = [
        "alg": words("RS256 RS384 RS512 PS256 ES256 EdDSA"), "typ": words("JWT at+jwt"), "kty": words("RSA EC OKP"),
        "use": words("sig enc"), "e": words("AQAB"), "ver": words("1.0 2.0"), "token_type": words("Bearer bearer"),
        "azpacr": words("0 1 2"), "appidacr": words("0 1 2"), "api-version": words("1.1"), "foci": words("1"),
        "binding_method": words("prompt"), "challenge_channel": words("email sms"),
        "challenge_type": words("oob password redirect"), "status": words("succeeded not_started in_progress failed"),
        "error": errors, "suberror": errors,
    ]

    private static let errors = Set(ErrorCode.table.map(\.name))
        .union(
            words(
                """
                attribute_validation_failed attributes_required credential_required invalid_tenant password_banned \
                password_is_invalid password_recently_used password_too_long password_too_short password_too_weak \
                user_already_exists verification_required
                """))

    /// The elements of the lists in an OpenID configuration.
    static let listed = words(
        """
        openid profile email offline_access phone address query fragment form_post code id_token token none pairwise public \
        RS256 RS384 RS512 PS256 ES256 client_secret_post client_secret_basic client_secret_jwt private_key_jwt plain S256 \
        authorization_code refresh_token implicit password client_credentials
        """)

    /// The grants; that of the device flow is the end of a URN.
    static let grants = words(
        "authorization_code refresh_token password continuation_token oob mfa_oob attributes device_code")

    /// The segments of addresses.
    static let segments = words(
        """
        .well-known authorize challenge common consumers continue devicecode deviceauthorization discovery error initiate \
        introspect keys kerberos logout nativeauthkeys oauth2 openid openid-configuration organizations poll_completion \
        resetpassword signup start submit te tfp token userinfo v1.0 v2.0 {tenantid} oidc
        """)

    /// The hosts of the clouds themselves.
    static let hosts = words(
        """
        graph.microsoft.com graph.microsoft.us login.microsoft.com login.microsoftonline.com login.microsoftonline.us \
        login.chinacloudapi.cn login.partner.microsoftonline.cn microsoft.com microsoftgraph.chinacloudapi.cn \
        pas.chinacloudapi.cn pas.windows.net pasff.usgovcloudapi.net sts.windows.net
        """)

    private static func words(_ text: String) -> Set<String> { Set(text.split(separator: " ").map(String.init)) }
}
