"""The rows that every peer inserts. The benchmark writes them as JSON files into one folder."""

import json
from datetime import datetime, timezone
from pathlib import Path


class Samples:
    """The rows in the files. If a workload needs fewer rows, it uses the first ones, as the other peers do."""

    def __init__(self, folder: Path):
        self._folder = folder

    def people(self, count: int) -> list[dict]:
        people = self._read("people")[:count]
        for person in people:
            person["created_at"] = datetime.fromtimestamp(person.pop("createdAt"), timezone.utc)
            person.setdefault("bio", None)
        return people

    def items(self, count: int) -> list[dict]:
        return self._read("items")[:count]

    def families(self, count: int) -> list[dict]:
        return self._read("families")[: count // 100]

    def order(self, count: int) -> list[int]:
        """Returns the positions of the people that are fetched one by one."""
        return [place for place in self._read("order") if place < count][: count // 2]

    def _read(self, name: str) -> list:
        return json.loads((self._folder / f"{name}.json").read_text())
