# needs: chromium --version && chromedriver --version && command -v certutil && python3 -c 'import importlib.util as i, requests; i.find_spec("msal_streamlit_authentication").origin'
MSAL_JS=$(python3 -c 'import importlib.util as i, os; print(os.path.dirname(i.find_spec("msal_streamlit_authentication").origin))')/frontend/dist
export MSAL_JS REQUESTS_CA_BUNDLE="$CA"
HOME=$WORK/trusting python3 "$HERE/msal_js.py"
# Without knownAuthorities it asks the cloud about the host; without the certificate it cannot read the metadata.
EXPECT=login.microsoftonline.com/common/discovery/instance HOME=$WORK/asking python3 "$HERE/msal_js.py" unknown
EXPECT=endpoints_resolution_error HOME=$WORK/distrusting python3 "$HERE/msal_js.py" untrusted
