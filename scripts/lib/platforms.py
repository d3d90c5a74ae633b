"""Finds uses of declarations that need a newer macOS in the compiler's index. scripts/check-platforms runs it.

usage: platforms.py LIBRARY STORE GRAPHS VERSION FOLDER…

    LIBRARY    the path of libIndexStore; clang's include/indexstore/indexstore.h declares its functions
    STORE      the index of a debug build
    GRAPHS     a folder with symbol graphs
    VERSION    the oldest version of macOS
    FOLDER     a folder with sources
"""

import ctypes
import glob
import json
import os
import re
import sys
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p

RECORD = 2  # indexstore_unit_dependency_kind_t
REFERENCE, IMPLICIT = 1 << 2, 1 << 8  # indexstore_symbol_role_t


class Text(ctypes.Structure):
    """A string that belongs to the library."""

    _fields_ = [("data", c_void_p), ("length", c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.data else ""


UnitVisitor = ctypes.CFUNCTYPE(c_bool, c_void_p, Text)
Visitor = ctypes.CFUNCTYPE(c_bool, c_void_p, c_void_p)

FUNCTIONS = {
    "store_create": (c_void_p, [c_char_p, c_void_p]),
    "store_units_apply_f": (c_bool, [c_void_p, c_uint, c_void_p, UnitVisitor]),
    "unit_reader_create": (c_void_p, [c_void_p, c_char_p, c_void_p]),
    "unit_reader_get_main_file": (Text, [c_void_p]),
    "unit_reader_dependencies_apply_f": (c_bool, [c_void_p, c_void_p, Visitor]),
    "unit_reader_dispose": (None, [c_void_p]),
    "unit_dependency_get_kind": (c_int, [c_void_p]),
    "unit_dependency_get_name": (Text, [c_void_p]),
    "record_reader_create": (c_void_p, [c_void_p, c_char_p, c_void_p]),
    "record_reader_occurrences_apply_f": (c_bool, [c_void_p, c_void_p, Visitor]),
    "record_reader_dispose": (None, [c_void_p]),
    "occurrence_get_symbol": (c_void_p, [c_void_p]),
    "occurrence_get_roles": (c_uint64, [c_void_p]),
    "occurrence_get_line_col": (None, [c_void_p, POINTER(c_uint), POINTER(c_uint)]),
    "symbol_get_usr": (Text, [c_void_p]),
}


class Index:
    """The index of a build."""

    def __init__(self, library, store):
        library = ctypes.CDLL(library)
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(library, "indexstore_" + name)
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)
        self.error = c_void_p()
        self.store = self.store_create(store.encode(), byref(self.error))
        if not self.store:
            sys.exit(f"{store} is not an index of the compiler.")

    def units(self):
        """Returns the names of the entries, one for each compiled file."""
        names = []
        self.store_units_apply_f(self.store, 0, None, UnitVisitor(lambda _, name: names.append(str(name)) or True))
        return names

    def records(self, unit):
        """Returns the source file of an entry, and the names of its records."""
        reader = self.unit_reader_create(self.store, unit.encode(), byref(self.error))
        if not reader:
            return "", []
        names = []

        def visit(_, dependency):
            if self.unit_dependency_get_kind(dependency) == RECORD:
                names.append(str(self.unit_dependency_get_name(dependency)))
            return True

        self.unit_reader_dependencies_apply_f(reader, None, Visitor(visit))
        source = str(self.unit_reader_get_main_file(reader))
        self.unit_reader_dispose(reader)
        return source, names

    def references(self, record):
        """Returns the references of a record in the program's text: the identifier of the declaration, and the line."""
        reader = self.record_reader_create(self.store, record.encode(), byref(self.error))
        if not reader:
            return []
        found = []
        line, column = c_uint(), c_uint()

        def visit(_, occurrence):
            roles = self.occurrence_get_roles(occurrence)
            if roles & REFERENCE and not roles & IMPLICIT:
                self.occurrence_get_line_col(occurrence, byref(line), byref(column))
                found.append((str(self.symbol_get_usr(self.occurrence_get_symbol(occurrence))), line.value))
            return True

        self.record_reader_occurrences_apply_f(reader, None, Visitor(visit))
        self.record_reader_dispose(reader)
        return found


def versions(folder):
    """Returns the oldest macOS and the name of each declaration, by the identifier of the declaration."""
    symbols = []
    for path in glob.glob(os.path.join(folder, "*.symbols.json")):
        with open(path, encoding="utf-8") as file:
            symbols += json.load(file)["symbols"]
    names, oldest = {}, {}
    for symbol in symbols:
        introduced = [
            one["introduced"] for one in symbol.get("availability", [])
            if one.get("domain") == "macOS" and "introduced" in one
        ]
        version = max(((one["major"], one.get("minor", 0)) for one in introduced), default=(0, 0))
        name = ".".join(symbol["pathComponents"])
        names[symbol["identifier"]["precise"]] = name
        # If two declarations have the same name, a compiler for an older system chooses the older declaration.
        oldest[name] = min(oldest.get(name, version), version)
    return {identifier: (oldest[name], name) for identifier, name in names.items()}


def announced(source):
    """Returns the newest macOS that a file names in '@available' or '#available'."""
    with open(source, encoding="utf-8") as file:
        found = re.findall(r"[@#]available\(macOS (\d+)(?:\.(\d+))?", file.read())
    return max(((int(major), int(minor or 0)) for major, minor in found), default=(0, 0))


def main():
    library, store, graphs, version, *folders = sys.argv[1:]
    oldest = (int(version), 0)
    known = versions(graphs)
    index = Index(library, store)
    prefixes = tuple(os.path.join(os.getcwd(), folder, "") for folder in folders)
    sources, uses, problems = set(), 0, set()
    for unit in index.units():
        source, records = index.records(unit)
        if not source.startswith(prefixes) or not os.path.exists(source):
            continue
        sources.add(source)
        limit = max(oldest, announced(source))
        for record in records:
            for identifier, line in index.references(record):
                if identifier not in known:
                    continue
                uses += 1
                needed, name = known[identifier]
                if needed > limit:
                    place = os.path.relpath(source)
                    problems.add((place, line, f"{place}:{line}: '{name}' needs macOS {needed[0]}.{needed[1]}"))
    for _, _, text in sorted(problems):
        print(text, file=sys.stderr)
    # The standard library alone is used thousands of times. If few uses are found, the index was not read.
    if uses < 10_000:
        sys.exit(f"Only {uses} uses of Swift's declarations are in the index.")
    print(f"** {uses} uses of Swift's declarations in {len(sources)} files; {len(problems)} need a newer system")
    sys.exit(1 if problems else 0)


main()
