"""The peer with SQLAlchemy 2 and psycopg 3.

This program is a worker, as `Worker.swift` is for the peers in Swift. It warms up on a small schema, fills another
schema, and runs exactly one measured section. It then prints the seconds, the check value and the peak memory as JSON.

usage: peer.py worker measure WORKLOAD NAME COUNT FOLDER
"""

import json
import os
import sys
import time
from pathlib import Path

from sqlalchemy import Engine, create_engine, make_url, text

from models import Base
from samples import Samples
from workloads import WORKLOADS, fill

WARM_UP_COUNT = 1_000


def connect(schema: str) -> Engine:
    """Returns an engine on a new schema with empty tables, and with the session settings of the other peers."""
    url = make_url(os.environ["COFFER_POSTGRES_URL"]).set(drivername="postgresql+psycopg")
    options = f"-c jit=off -c max_parallel_workers_per_gather=0 -c search_path={schema}"
    engine = create_engine(url, connect_args={"options": options})
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA IF EXISTS {schema} CASCADE"))
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    Base.metadata.create_all(engine)
    return engine


def settle(engine: Engine) -> None:
    """Analyzes the tables, as the other peers do before the measured section."""
    with engine.begin() as connection:
        for table in Base.metadata.sorted_tables:
            connection.execute(text(f'ANALYZE "{table.name}"'))


def peak_memory() -> int:
    """Returns the peak memory of this process in kilobytes."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1])
    return 0


def main() -> None:
    _, task, workload, name, count, folder = sys.argv[1:]
    if task != "measure":
        sys.exit(f"{name} does not support the task '{task}', only 'measure'.")
    count, samples = int(count), Samples(Path(folder))

    small = min(count, WARM_UP_COUNT)
    engine = connect(f"bench_{name}_warm_up")
    fill(engine, samples, workload, small)
    WORKLOADS[workload](engine, samples, small).measure()
    engine.dispose()

    engine = connect(f"bench_{name}_run")
    fill(engine, samples, workload, count)
    settle(engine)
    prepared = WORKLOADS[workload](engine, samples, count)
    start = time.perf_counter()
    result = prepared.measure()
    seconds = time.perf_counter() - start
    memory = peak_memory()
    print(json.dumps({"seconds": seconds, "check": prepared.check(result), "peakMemory": memory}))


if __name__ == "__main__":
    main()
