"""What documents link to in the repository, and is no page of the site, is linked to where it is published."""

import os
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PUBLISHED = re.search(r"<repository\.url>(.+)</", (ROOT / "pom.xml").read_text(encoding="utf-8"))[1]
FENCE = re.compile(r"(?ms)(^ *```.*?^ *```$)")
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)")


def on_config(config):
    if Path(config.docs_dir, "api").is_dir():
        config.nav.append("api/README.md")


def on_page_markdown(markdown, page, config, files):
    folder = Path(page.file.src_uri).parent

    def place(link):
        path = os.path.normpath(folder / link[1])
        if files.get_file_from_path(path):
            return link[0]
        if files.get_file_from_path(f"{path}/README.md"):
            return f"]({link[1]}/README.md{link[2] or ''})"
        if not (ROOT / path).exists():
            return link[0]  # mkdocs complains
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        return f"]({PUBLISHED}/{kind}/main/{path}{link[2] or ''})"

    parts = FENCE.split(markdown)
    return "".join(part if i % 2 else LINK.sub(place, part) for i, part in enumerate(parts))
