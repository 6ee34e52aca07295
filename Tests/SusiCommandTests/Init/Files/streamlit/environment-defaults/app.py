import os
import streamlit as st
from dotenv import load_dotenv
from msal_streamlit_authentication import msal_authentication

def login():
    load_dotenv()
    return msal_authentication(
        auth={
            "clientId": os.getenv('APPLICATION_ID', '11111111-1111-4111-8111-111111111111'),
            "authority": f"https://login.microsoftonline.com/{os.getenv('TENANT_ID', '33333333-3333-4333-8333-333333333333')}",
            "redirectUri": os.getenv('REDIRECT_URI', "https://search.acme.example/"),
            "postLogoutRedirectUri": "/"
        },
    )
