# needs: python3 -c 'import fastapi_azure_auth, httpx, requests'
mkdir own
cd own
export SUSI_HOME="$WORK/own/home" SUSI_CONFIG=policies.json
python3 "$HERE/verdicts.py"
