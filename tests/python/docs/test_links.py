"""Links between the pages of the repository lead to files and headings that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples/README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]


def without_programs(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Of the headings, as GitHub makes them: lower case, no punctuation, a hyphen for a space."""
    headings = re.findall(r"^#+ (.+)$", without_programs(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)", without_programs(page))
    for link in links:
        if "://" in link:
            continue
        file, _, heading = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), f"{page.name} links to {link}, which is not there"
        assert not heading or heading in anchors(target), f"{page.name} links to {link}, a heading that is not there"


def test_every_page_of_docs_is_in_its_index() -> None:
    index = re.findall(r"\]\(([\w]+\.md)\)", (ROOT / "docs/README.md").read_text(encoding="utf-8"))
    assert sorted(index) == sorted(page.name for page in (ROOT / "docs").glob("*.md") if page.name != "README.md")


def test_the_glossary_is_in_order() -> None:
    page = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    header, *words = re.findall(r"^\| ([a-z ]+) \|", page, re.MULTILINE)
    assert header == "word" and words == sorted(set(words))
