"""Holds each *.json of a folder against schema.json in it; prints a line for each: its name, then yes or no."""
import json
import pathlib
import sys

import jsonschema

folder = pathlib.Path(sys.argv[1])
schema = json.loads((folder / "schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for file in sorted(folder.glob("case-*.json")):
    print(file.stem, "yes" if validator.is_valid(json.loads(file.read_text())) else "no")
