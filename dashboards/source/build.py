"""Writes grafana/*.json from the sources here; with --check, says instead whether that is what is there already.

    python3 -m venv .venv && .venv/bin/pip install -r dashboards/source/requirements.txt
    .venv/bin/python dashboards/source/build.py
"""

import json
import sys
from pathlib import Path

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

import distribution
import fleet
import health
import hiccups
import latency
import sla

FOLDER = Path(__file__).resolve().parent.parent / "grafana"
DASHBOARDS = [sla.DASHBOARD, latency.DASHBOARD, distribution.DASHBOARD, hiccups.DASHBOARD, health.DASHBOARD, fleet.DASHBOARD]


def text_of(dashboard):
    return json.dumps(dashboard, cls=JSONEncoder, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def left_out_by_schema(text):
    """What Grafana's schema does not know, as the path to the first of it; None if it knows all."""
    original = json.loads(text)
    for annotation in original["annotations"].get("list", []):
        for belonging_to_data_source in ("titleFormat", "textFormat"):
            annotation.pop(belonging_to_data_source, None)
    known = json.loads(json.dumps(Dashboard.from_json(original), cls=JSONEncoder))
    return difference(original, known, "$")


def difference(original, known, path):
    if isinstance(original, dict) and isinstance(known, dict):
        for key in original:
            if key not in known:
                return f"{path}.{key}"
            found = difference(original[key], known[key], f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(original, list) and isinstance(known, list) and len(original) == len(known):
        return next((f for i, (a, b) in enumerate(zip(original, known)) if (f := difference(a, b, f"{path}[{i}]"))), None)
    return None if original == known else path


def main():
    register_default_plugins()
    problems = []
    for dashboard in DASHBOARDS:
        text = text_of(dashboard)
        file = FOLDER / f"{dashboard.uid}.json"
        if "--check" not in sys.argv:
            file.write_text(text, encoding="utf-8")
        elif not file.exists() or file.read_text(encoding="utf-8") != text:
            problems.append(f"{file.name} is not what the sources make; run build.py")
        unknown = left_out_by_schema(file.read_text(encoding="utf-8"))
        if unknown:
            problems.append(f"{file.name}: not in Grafana's schema: {unknown}")
        print(f"{file.name}: {sum(1 for p in dashboard.panels if p.to_json()['type'] != 'row')} panels")
    stray = {f.name for f in FOLDER.glob("*.json")} - {f"{d.uid}.json" for d in DASHBOARDS}
    problems += [f"{name} has no source" for name in sorted(stray)]
    for problem in problems:
        print(f"build.py: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
