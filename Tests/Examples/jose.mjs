// jose for Node.js: an API checks Ana's tokens with createRemoteJWKSet and jwtVerify.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
const require = createRequire(import.meta.url);
// Debian's package node-jose; any other copy by JOSE.
const folder = process.env.JOSE ?? '/usr/share/nodejs/jose';
const { createRemoteJWKSet, jwtVerify } = require(folder);
const e = process.env;
const tokens = JSON.parse(readFileSync(`${e.WORK}/tokens.json`, 'utf8'));
const base = `${e.ORIGIN}/${e.TENANT}/${e.POLICY}`;
// The settings under test.
const keys = createRemoteJWKSet(new URL(`${base}/discovery/v2.0/keys`));
const issuer = `${e.ORIGIN}/${e.TENANT_ID}/v2.0/`;

const { payload } = await jwtVerify(tokens.id_token, keys, { issuer, audience: e.CLIENT_ID, algorithms: ['RS256'] });
assert.equal(payload.name, 'Ana Lima');
const access = await jwtVerify(tokens.access_token, keys, { issuer, audience: e.API_ID, algorithms: ['RS256'] });
assert.equal(access.payload.scp, 'demo.read');
for (const wrong of [
  { issuer: `https://fabrikam.b2clogin.com/${e.TENANT_ID}/v2.0/`, audience: e.CLIENT_ID },
  { issuer, audience: 'other' },
]) {
  await assert.rejects(jwtVerify(tokens.id_token, keys, wrong), { code: 'ERR_JWT_CLAIM_VALIDATION_FAILED' });
}
const changed = tokens.access_token.replace(/\.[^.]{9}/g, (part) => part.slice(0, -1) + (part.endsWith('A') ? 'B' : 'A'));
await assert.rejects(jwtVerify(changed, keys, { issuer }));
console.log('jose', require(`${folder}/package.json`).version, 'on Node.js', process.version, 'accepted', payload.name);
