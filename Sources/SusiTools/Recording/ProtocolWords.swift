import Susi

/// The only words that a recording contains of what a server sent: the names of members and claims, each with the values that
/// the protocols give it. No claim about a person has values.
enum ProtocolWords {
    static let values: [String: Set<String>] = {
        var values: [String: Set<String>] = [:]
        for line in table.split(separator: "\n") {
            let parts = line.split(separator: ":").map { $0.split(separator: " ").map(String.init) }
            for name in parts[0] { values[name, default: []].formUnion(parts.count > 1 ? parts[1] : []) }
        }
        let names = ErrorCode.table.map(\.name)
        for name in ["error", "suberror"] { values[name, default: []].formUnion(names) }
        values["error_codes"] = Set(names.filter { $0.hasPrefix("AADSTS") }.map { String($0.dropFirst(6)) })
        values["claims_supported"] = Set(values.keys)
        return values
    }()

    /// The last parts of the grants that susi requests.
    static let grants: Set = [
        "authorization_code", "refresh_token", "password", "continuation_token", "oob", "mfa_oob", "attributes",
        "device_code",
    ]

    private static let table = """
        access_token account_type acct acr acrs aio aliases amr appid at_hash aud auth_time authorization_endpoint azp birthdate
        c_hash challenge_target_label check_session_iframe city claims client_info cloud_audience_urn cloud_graph_host_name
        cloud_instance_host_name cloud_instance_name code code_length continuation_token correlationId correlation_id country
        ctry device_authorization_endpoint device_code domain_name email email_verified emails end_session_endpoint
        error_description error_uri exp expires_in expires_on ext_expires_in family_name gender given_name groups iat id_token
        id_token_expires_in idp idp_access_token in_corp interval ipaddr isForgotPassword iss issuer jobTitle jti jwks_uri
        kerberos_endpoint keys kid locale login_hint message metadata middle_name msgraph_host n name nbf newUser nickname nonce
        not_before oid options phone phone_number phone_number_verified picture poll_interval postalCode preferred_cache
        preferred_network preferred_username profile profile_info rbac_url refresh_token refresh_token_expires_in regex
        registration_endpoint required_attributes resource revocation_endpoint rh roles scope scp session_state sid signInName
        signInNames.emailAddress state streetAddress sub surname tenant_discovery_endpoint tenant_region_scope tfp tid timestamp
        token_endpoint trace_id type uid unique_name updated_at upn user_code userinfo_endpoint uti utid verification_uri
        verification_uri_complete website wids x5c x5t xms_cc xms_ftd xms_idrel xms_st zoneinfo
        alg id_token_signing_alg_values_supported: RS256 RS384 RS512 PS256 ES256 EdDSA
        token_endpoint_auth_signing_alg_values_supported: RS256 RS384 RS512 PS256 ES256 EdDSA
        typ: JWT at+jwt
        kty: RSA EC OKP
        use: sig enc
        e: AQAB
        ver: 1.0 2.0
        api-version: 1.1
        foci: 1
        token_type: Bearer bearer
        azpacr appidacr: 0 1 2
        binding_method: prompt
        challenge_channel: email sms
        challenge_type: oob password redirect
        status: succeeded not_started in_progress failed
        required claims_parameter_supported request_parameter_supported request_uri_parameter_supported: true false
        frontchannel_logout_session_supported frontchannel_logout_supported http_logout_supported: true false
        scopes_supported: openid profile email offline_access phone address
        response_modes_supported: query fragment form_post
        response_types_supported: code id_token token none
        subject_types_supported: pairwise public
        code_challenge_methods_supported: plain S256
        grant_types_supported: authorization_code refresh_token implicit password client_credentials
        token_endpoint_auth_methods_supported: client_secret_post client_secret_basic client_secret_jwt private_key_jwt none
        error suberror: attribute_validation_failed attributes_required credential_required invalid_tenant password_banned
        error suberror: password_is_invalid password_recently_used password_too_long password_too_short password_too_weak
        error suberror: user_already_exists verification_required
        """
}
