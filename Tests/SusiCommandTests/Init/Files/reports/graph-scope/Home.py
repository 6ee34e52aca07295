auth={"clientId":"11111111-1111-4111-8111-111111111111","authority":"https://login.microsoftonline.com/common"}
login_request={"scopes":["https://graph.microsoft.com/.default"]}
