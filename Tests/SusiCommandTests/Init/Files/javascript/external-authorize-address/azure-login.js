export function startAzureLogin(redirectUri) {
  const nonce = makeNonce(), state = makeNonce();
  if (isEmbeddedBrowser()) {
    window.location.href = `${window.location.origin}/api/auth/azure-login?embedded=true`;
    return;
  }
  const authUrl = `https://acme.ciamlogin.com/acme.onmicrosoft.com/oauth2/v2.0/authorize`;
  const params = new URLSearchParams({
    client_id: '11111111-1111-4111-8111-111111111111',
    response_type: 'id_token',
    redirect_uri: redirectUri,
    scope: 'openid profile email',
    response_mode: 'fragment',
    nonce: nonce,
    state: state,
    prompt: 'login'
  });
  window.location.href = `${authUrl}?${params}`;
}
