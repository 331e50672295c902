"""Checked access to the keys of one JSON object."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from raptor.schema.document import short


def show(value: Any) -> str:
    """A value with its JSON type, for errors."""
    text = short(json.dumps(value, ensure_ascii=False))
    if value is None:
        return "null"
    kinds = {bool: "a bool", int: "an int", float: "a float", str: "a string", list: "a list", dict: "an object"}
    return f"{text} ({kinds.get(type(value), type(value).__name__)})"


def choices_text(choices: Sequence[str]) -> str:
    quoted = [f"'{choice}'" for choice in choices]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + " or " + quoted[-1]


class Fields:
    """One object of a document; `where` is what errors call it. Every refusal is a ValueError."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise ValueError(f"{where}: holds {show(value)}; it must hold an object")
        self.table: Mapping[str, Any] = value
        self.where = where

    def has(self, key: str) -> bool:
        return key in self.table

    def at(self, key: str) -> Any:
        if key not in self.table:
            raise ValueError(f"{self.where}: the key '{key}' is missing; it is required and nothing is guessed")
        return self.table[key]

    def refuse(self, key: str, needed: str) -> NoReturn:
        raise ValueError(f"{self.where}: '{key}' is {show(self.at(key))}; it must be {needed}")

    def text(self, key: str) -> str:
        value = self.at(key)
        if not isinstance(value, str):
            self.refuse(key, "a string")
        return str(value)

    def filled(self, key: str) -> str:
        value = self.text(key)
        if not value:
            self.refuse(key, "a non-empty string")
        return value

    def text_of(self, key: str, choices: Sequence[str]) -> str:
        value = self.text(key)
        if value not in choices:
            self.refuse(key, choices_text(choices))
        return value

    def flag(self, key: str) -> bool:
        value = self.at(key)
        if not isinstance(value, bool):
            self.refuse(key, "true or false")
        return bool(value)

    def integer(self, key: str) -> int:
        value = self.at(key)
        if isinstance(value, bool) or not isinstance(value, int):
            self.refuse(key, "an int")
        return int(value)

    def extent(self, key: str, least: int) -> int:
        value = self.integer(key)
        if not least <= value < 2**32:
            self.refuse(key, f"an int from {least} to 2^32 - 1")
        return value

    def list(self, key: str) -> list[Any]:
        value = self.at(key)
        if not isinstance(value, list):
            self.refuse(key, "a list")
        return value

    def texts(self, key: str) -> Sequence[str]:
        value = self.list(key)
        if not all(isinstance(item, str) for item in value):
            self.refuse(key, "a list of strings")
        return value

    def object(self, key: str) -> dict[str, Any]:
        value = self.at(key)
        if not isinstance(value, dict):
            self.refuse(key, "an object")
        return value

    def forbid(self, key: str, why: str) -> None:
        if key in self.table:
            raise ValueError(f"{self.where}: carries '{key}' ({show(self.table[key])}), which {why}; remove the key")

    def closed(self, keys: Sequence[str]) -> None:
        """For writers: no key but these."""
        for key in self.table:
            if key not in keys:
                raise ValueError(f"{self.where}: has the unknown key '{short(key)}'; a writer writes {_list(keys)}")

    def ordered(self, order: Sequence[str]) -> None:
        """For writers: no key but these, and in this order."""
        self.closed(order)
        wanted = [key for key in order if key in self.table]
        found = [short(key) for key in self.table]
        if found != wanted:
            late, due = next(pair for pair in zip(found, wanted, strict=True) if pair[0] != pair[1])
            raise ValueError(
                f"{self.where}: keys are written as {_list(found)}; their order is {_list(wanted)}: '{late}' stands "
                f"where '{due}' belongs"
            )


def _list(keys: Iterable[str]) -> str:
    return ", ".join(keys)
