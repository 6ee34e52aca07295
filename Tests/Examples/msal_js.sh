# needs: chromium --version && chromedriver --version && command -v certutil && python3 -c 'import importlib.util as i, requests; i.find_spec("msal_streamlit_authentication").origin'
MSAL_JS=$(python3 -c 'import importlib.util as i, os; print(os.path.dirname(i.find_spec("msal_streamlit_authentication").origin))')/frontend/dist
export MSAL_JS REQUESTS_CA_BUNDLE="$CA"
HOME=$WORK/trusting python3 "$HERE/msal_js.py"
[ -z "${SUSI_EMULATOR_PROXY-}" ] || exit 0
# Without knownAuthorities it asks the cloud about the host; without the certificate it cannot read the metadata.
EXPECT=login.microsoftonline.com/common/discovery/instance HOME=$WORK/asking python3 "$HERE/msal_js.py" unknown
# With coopEnforcement, MSAL.js before version 5 takes the pop-up for closed.
SPA_ID=44444444-4444-4444-4444-444444444444 EXPECT=user_cancelled HOME=$WORK/separate python3 "$HERE/msal_js.py" separate
EXPECT=endpoints_resolution_error HOME=$WORK/distrusting python3 "$HERE/msal_js.py" untrusted
