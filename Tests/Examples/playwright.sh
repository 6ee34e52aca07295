# needs: chromium --version && python3 -c 'import importlib.util as i, playwright, pytest_playwright, requests; i.find_spec("msal_streamlit_authentication").origin'
MSAL_JS=$(python3 -c 'import importlib.util as i, os; print(os.path.dirname(i.find_spec("msal_streamlit_authentication").origin))')/frontend/dist
export MSAL_JS REQUESTS_CA_BUNDLE="$CA"
ready() { "$SUSI" emulator ready --json | python3 -c "import json, sys; print(json.load(sys.stdin)['$1'])"; }
COPY=$(ready config) SUSI_HOME=$(ready home) SUSI_CONFIG="$WORK/spa.json"
export SUSI_HOME SUSI_CONFIG
# The settings of the page's registration, with the API.
python3 - <<PYTHON
import json
file = json.load(open("$COPY"))
[application] = file["applications"].values()
application.update(clientId="$SPA_ID", apis={"hello": {"baseUrl": "$ORIGIN/api/hello", "scopes": ["$SCOPE"]}})
json.dump(file, open("$SUSI_CONFIG", "w"))
PYTHON
for person in ana@contoso.example ben@contoso.example; do
    "$SUSI" sign-in -a "$person" --api hello --port "$SUSI_PORT" --browser "python3 $VISITOR %u signInName=$person password=Passw0rd!"
    "$SUSI" token hello -a "$person" --min-valid 30m >/dev/null
    rm -f "${person%@*}.json"
    "$SUSI" export --format playwright --origin "http://localhost:$SPA_PORT" -a "$person" --yes -o "${person%@*}.json"
done
"$SUSI" export --format msal-browser -a ana@contoso.example --yes -o entries.json
# The tests of the manual, with the free port and for the emulator.
for place in local session; do
    sed -e "s/5173/$SPA_PORT/" -e 's/new_context(/new_context(ignore_https_errors=True, /' $place.py >test_$place.py
done
cp "$HERE/conftest.py" "$HERE/test_storage_state.py" .
python3 -m pytest -q -p no:cacheprovider test_local.py test_session.py test_storage_state.py
