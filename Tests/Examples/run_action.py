"""Runs the steps of a composite action as a runner does, then a command in the job's environment.

usage: run_action.py FOLDER-OF-THE-ACTION COMMAND [INPUT=VALUE ...]
"""
import os
import re
import signal
import subprocess
import sys

import yaml

folder, command, *given = sys.argv[1:]
action = yaml.safe_load(open(f"{folder}/action.yml"))
defaults = {name: each.get("default", "") for name, each in action["inputs"].items()}
inputs = {**defaults, **dict(pair.split("=", 1) for pair in given)}
assert set(inputs) == set(defaults), inputs
work = os.environ["RUNNER_TEMP"]
environment, outputs = dict(os.environ), {}


def value(expression):
    place, _, name = expression.partition(".")
    known = {"inputs": inputs, "runner": {"temp": work}, "github": {"action_repository": "owner/susi", "action_path": folder}}
    return known[place][name]


def expanded(text):
    return re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda match: value(match[1]), text)


def written(path):
    return dict(line.split("=", 1) for line in open(path).read().splitlines())


def run(script, extra):
    files = {name: f"{work}/{name.lower()}" for name in ("GITHUB_PATH", "GITHUB_ENV", "GITHUB_OUTPUT")}
    for path in files.values():
        open(path, "w").close()
    step = {**environment, **files, **extra, "GITHUB_ACTION_PATH": folder, "GITHUB_SERVER_URL": "https://github.example"}
    subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], env=step, check=True)
    for added in open(files["GITHUB_PATH"]).read().split():
        environment["PATH"] = f"{added}:{environment['PATH']}"
    environment.update(written(files["GITHUB_ENV"]))
    return written(files["GITHUB_OUTPUT"])


def main():
    for step in action["runs"]["steps"]:
        condition = re.fullmatch(r"(inputs\.\w+) == '(\w+)'", step.get("if", ""))
        assert condition or "if" not in step, step
        if condition and value(condition[1]) != condition[2]:
            continue
        assert step["shell"] == "bash", step
        outputs[step.get("id")] = run(step["run"], {name: expanded(text) for name, text in step.get("env", {}).items()})
    for name, output in action["outputs"].items():
        _, step, _, key = re.fullmatch(r"\$\{\{ (.*) \}\}", output["value"])[1].split(".")
        print(f"{name}={outputs.get(step, {}).get(key, '')}", flush=True)
    run(command, {})


assert action["runs"]["using"] == "composite"
os.setpgid(0, 0)
try:
    main()
finally:
    # A runner ends what the steps left running.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.killpg(0, signal.SIGTERM)
