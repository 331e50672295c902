"""One corpus, two readers: the same files are judged by the C++ tests. Writers have a column of their own."""

from collections import Counter

import pytest
from corpus import FILES, cases, content

from raptor.schema import parse

CASES = [
    pytest.param(*FILES[file], case, id=f"{file}: {case['name']}".encode("ascii", "replace").decode())
    for file in FILES
    for case in cases(file)
]


def said(call, *arguments):
    """What it refuses with, or None."""
    try:
        call(*arguments)
    except ValueError as error:
        assert type(error) is ValueError and len(str(error)) < 2000
        return str(error)
    return None


@pytest.mark.parametrize(("read", "validate", "case"), CASES)
def test_judged_alike(read, validate, case):
    data = content(case)
    refusal = said(read, data, "doc.json")
    if case["accepted"]:
        assert refusal is None
    else:
        assert refusal is not None and refusal.startswith("doc.json")
        for word in case["words"]:
            assert word in refusal

    refusal = said(lambda: validate(parse(data, "doc.json"), "doc.json"))
    assert (refusal is None) is case["written"], refusal
    for word in case.get("writer_words", ()):
        assert word in refusal


def test_the_corpus_is_large_and_says_why():
    every = [case for file in FILES for case in cases(file)]
    kinds = Counter((case["accepted"], case["written"]) for case in every)
    assert len(every) >= 390
    assert kinds[True, True] >= 35 and kinds[True, False] >= 60 and kinds[False, False] >= 250
    assert (False, True) not in kinds, "a writer may write nothing that a reader refuses"
    for file in FILES:
        names = [case["name"] for case in cases(file)]
        assert len(set(names)) == len(names)
    for case in every:
        assert case["accepted"] or case["words"], case["name"]
        assert case["accepted"] is False or case["written"] or case["writer_words"], case["name"]
