"""usage: sign_in.py URL REDIRECT_URI: signs in as Ana and prints the fields of the redirect as JSON."""
import json, sys
import visitor
print(json.dumps(visitor.visit(sys.argv[1], until=sys.argv[2])))
