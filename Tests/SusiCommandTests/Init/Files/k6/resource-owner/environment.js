import http from 'k6/http';

const user = {
	username: 'tester03@acme.onmicrosoft.com',
	password: 'hunter2',
};
const baseUrl = 'https://acme.b2clogin.com/acme.onmicrosoft.com';
const tokenEndpoint = '/B2C_1_ropc/oauth2/v2.0/token';
const scope = 'openid+11111111-1111-4111-8111-111111111111';
const clientId = '11111111-1111-4111-8111-111111111111';
const requestURL = `${baseUrl}${tokenEndpoint}?username=${user.username}&password=${user.password}&grant_type=password&scope=${scope}&client_id=${clientId}&response_type=token`;

export function getApiToken() {
	const response = http.post(requestURL);
	return response.json().access_token;
}
