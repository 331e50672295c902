"""JSON as every reader of the family takes it."""

import pytest

from raptor.schema import MAX_BYTES, parse, write


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"{", "not JSON at line 1"),
        (b'{"a": 1,}', "not JSON"),
        (b"[1] 2", "not JSON"),
        (b"[1]\x00", "not JSON"),
        (b"", "not JSON"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        (b'{"a": "\xff"}', "not UTF-8 at byte 7"),
        ("{}".encode("utf-16"), "not UTF-8"),
        (b'{"a": NaN}', "NaN is no JSON number"),
        (b"[Infinity]", "Infinity is no JSON number"),
        (b"[-Infinity]", "-Infinity is no JSON number"),
        (b'{"a": 1, "a": 2}', "the key 'a' stands twice"),
        (b'{"b": {"a": 1, "a": 1}}', "the key 'a' stands twice"),
        (b'["\\ud800"]', "lone surrogate"),
        (b'{"\\udc00x": 1}', "lone surrogate"),
        (b"[9223372036854775808]", "9223372036854775808 does not fit in int64"),
        (b"[-9223372036854775809]", "does not fit in int64"),
        (b"[" + b"9" * 5000 + b"]", "does not fit in int64"),
        (b"[1e999]", "1e999 overflows a double"),
        (b"[" * 65 + b"]" * 65, "nested deeper than 64 levels"),
        (b'{"a":' * 100_000, "nested deeper than 64 levels"),
        ("\ud800", "lone surrogate"),
    ],
)
def test_what_is_refused(data, words):
    with pytest.raises(ValueError) as caught:
        parse(data, "some.json")
    assert type(caught.value) is ValueError
    assert words in str(caught.value) and str(caught.value).startswith("some.json: ")


def test_more_than_64_mib():
    with pytest.raises(ValueError, match="at most 64 MiB"):
        parse(b" " * (MAX_BYTES + 1), "big.json")


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (b"[9223372036854775807, -9223372036854775808]", [2**63 - 1, -(2**63)]),
        (b'["\\ud83d\\ude00", "\xc3\xa9"]', ["\U0001f600", "é"]),
        (b"[" * 64 + b"]" * 64, None),
        (b'["[[[", "\\"]", "{"]', ["[[[", '"]', "{"]),
        (b"[1e300, 1e-999, -0.0]", [1e300, 0.0, -0.0]),
        (b" null ", None),
    ],
)
def test_what_is_read(data, value):
    found = parse(data, "some.json")
    if value is not None:
        assert found == value


@pytest.mark.parametrize("data", [3, 10**10, None, [91, 93], {}, range(2)])
def test_what_is_no_text_is_refused(data):
    with pytest.raises(TypeError, match=rf"some.json: the text is of type {type(data).__name__}; it is bytes or a str"):
        parse(data, "some.json")
    assert parse(bytearray(b"[1]"), "x") == parse(memoryview(b"[1]"), "x") == [1]


def test_nothing_is_written_that_no_reader_takes():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="the document: nested deeper than 64 levels"):
        write(deep)
    with pytest.raises(ValueError, match="an integer that does not fit in int64"):
        write({"a": 1 << 63})
    with pytest.raises(TypeError, match="the document, a: holds a set, which JSON has no form for"):
        write({"a": set()})


def test_what_is_written_reads_the_same():
    document = {"b": [1, 2.5, None, True], "a": {"é": "\U0001f600"}}
    text = write(document)
    assert parse(text, "x") == document
    assert text.index('"b"') < text.index('"a"') and text.endswith("}\n")
    with pytest.raises(ValueError):
        write({"a": float("nan")})
