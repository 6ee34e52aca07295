b2c_tenant = "acme"
signupsignin_user_flow = "B2C_1_susi"
editprofile_user_flow = "B2C_1_profileediting1"
resetpassword_user_flow = "B2C_1_passwordreset1"
authority_template = "https://{tenant}.b2clogin.com/{tenant}.onmicrosoft.com/{user_flow}"

CLIENT_ID = "11111111-1111-4111-8111-111111111111"  # id

CLIENT_SECRET = "hunter2"  # testing
# CLIENT_SECRET = os.getenv("CLIENT_SECRET")

AUTHORITY = authority_template.format(
    tenant=b2c_tenant, user_flow=signupsignin_user_flow)

REDIRECT_PATH = "/account/auth"
ENDPOINT = ''
SCOPE = []
SESSION_TYPE = "filesystem"
