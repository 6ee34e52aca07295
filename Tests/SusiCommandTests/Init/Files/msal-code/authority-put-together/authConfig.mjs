const TENANT_SUBDOMAIN = 'contoso';
module.exports = { auth: { clientId: '90c0fe63-bcf2-44d5-8fb7-b8bbc0b29dc6', authority: 'https://' + TENANT_SUBDOMAIN + '.ciamlogin.com/' } };
