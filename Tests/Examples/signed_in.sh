# needs: node --version && chromium --version && python3 -c 'import importlib.util as i, playwright, pytest_playwright; i.find_spec("msal_streamlit_authentication").origin'
place() { python3 -c "import importlib.util as i, os; print(os.path.dirname(i.find_spec('$1').origin))"; }
MSAL_JS=$(place msal_streamlit_authentication)/frontend/dist
export MSAL_JS PATH="${SUSI%/*}:$PATH"
# Playwright for Node.js, which the package for Python contains.
mkdir node_modules
ln -s "$(place playwright)/driver/package" node_modules/playwright
sed -i "s|launch({ proxy })|launch({ proxy, executablePath: '$(command -v chromium)', args: ['--no-sandbox'] })|" sign-in.mjs
# The commands of the manual, with a free port, other hosts refused, the tenant file named, and pytest.
sed -i "s/\$/ --redirect-port $SUSI_PORT/" init.sh
sed -i 's/--as-cloud/& --offline --seed tenants.json/; s/npx playwright test/python3 -m pytest -q -p no:cacheprovider test_local.py/' run.sh
sed -i 's/new_context(/new_context(ignore_https_errors=True, /' test_local.py
cp "$HERE/conftest.py" .
# Without a terminal, it proposes the command with what it found in the code of the page.
! sh init.sh 2> refusal
sed -n 's/^  next: //p' refusal > init.sh
sh init.sh
sh run.sh
