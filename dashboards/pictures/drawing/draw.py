"""Draws what Prometheus answered to the dashboards' queries, panel by panel in the place that each has in Grafana.

    mvn -pl tests -am -Dit.test='*Dashboard*IT' -Ddashboards.watched=5m ... verify   writes tests/target/dashboards*.json
    python3 dashboards/pictures/drawing/draw.py                                      writes dashboards/pictures/*.png

It is not Grafana: it shows that the queries answer what their panels promise. Needs npm, pngquant and Chromium (CHROMIUM=path).
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ANSWERS = HERE.parents[2] / "tests" / "target"
WIDTH, ROW_HEIGHT, TOP = 1280, 34, 56
MOST_BYTES = 200_000


def main():
    answers = [Path(each) for each in sys.argv[1:]] or sorted(ANSWERS.glob("dashboards*.json"))
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "package.json").write_text(text("package.json"))
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund"], cwd=work, check=True)
        charts = (work / "node_modules/echarts/dist/echarts.min.js").read_text(encoding="utf-8")
        for dashboard in (each for file in answers for each in json.loads(file.read_text(encoding="utf-8"))):
            rows = max(p["gridPos"]["y"] + p["gridPos"]["h"] for p in dashboard["panels"])
            picture = HERE.parent / f"{dashboard['uid']}.png"
            page = work / f"{dashboard['uid']}.html"
            page.write_text(page_of(dashboard, charts), encoding="utf-8")
            screenshot(page, picture, TOP + rows * ROW_HEIGHT + 8, work)
            subprocess.run(["pngquant", "--force", "--ext", ".png", "32", picture], check=True)
            print(f"{picture.name}: {picture.stat().st_size} bytes")
            if picture.stat().st_size > MOST_BYTES:
                sys.exit(f"{picture.name} has more than {MOST_BYTES} bytes")


def page_of(dashboard, charts):
    data = json.dumps(dashboard).replace("</", "<\\/")
    layout = json.dumps({"width": WIDTH, "rowHeight": ROW_HEIGHT, "top": TOP})
    style, *scripts = (text(name) for name in ("page.css", "units.js", "panels.js", "page.js"))
    return (
        f"<!doctype html><meta charset=utf-8><style>{style}</style><body><script>{charts}</script>"
        f"<script>const DASHBOARD = {data}, LAYOUT = {layout};</script>"
        + "".join(f"<script>{script}</script>" for script in scripts)
    )


def text(name):
    return (HERE / name).read_text(encoding="utf-8")


def screenshot(page, picture, height, work):
    subprocess.run(
        [
            os.environ.get("CHROMIUM", "chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
            "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={work / 'profile'}", f"--window-size={WIDTH},{height}", "--virtual-time-budget=4000",
            f"--screenshot={picture}", page.as_uri(),
        ],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    main()
