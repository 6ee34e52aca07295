import streamlit as st
from msal_streamlit_authentication import msal_authentication


value = msal_authentication(
    auth={
        "clientId": "11111111-1111-4111-8111-111111111111",
        "authority": "https://login.microsoftonline.com/33333333-3333-4333-8333-333333333333",
        "redirectUri": "/",
        "postLogoutRedirectUri": "/"
    },
    cache={
        "cacheLocation": "sessionStorage",
        "storeAuthStateInCookie": False
    },
    login_request={
        "scopes": ["22222222-2222-4222-8222-222222222222/.default"]
    },
    key=1)
st.write("Received", value)
