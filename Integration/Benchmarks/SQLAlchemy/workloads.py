"""The workloads as in a typical program with SQLAlchemy's ORM. Each transaction has its own session."""

from dataclasses import dataclass
from typing import Callable

from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session, selectinload

from models import Child, Item, Parent, Person
from samples import Samples


@dataclass
class Prepared:
    """A workload that is ready to be measured once."""

    measure: Callable[[], object]
    check: Callable[[object], int]


def tally(engine: Engine) -> int:
    """Returns one number that combines the number of people and the sum of their scores in eighths."""
    with Session(engine) as session:
        count, score = session.execute(select(func.count(), func.coalesce(func.sum(Person.score), 0))).one()
    return count * 1_000_003 + int(score * 8)


def insert_all(engine: Engine, objects: list) -> list:
    """Inserts objects in one transaction. Afterwards, the objects still have their values, and also have their keys."""
    with Session(engine, expire_on_commit=False) as session:
        session.add_all(objects)
        session.commit()
    return objects


def digest_of_all(engine: Engine, entity: type[Person] | type[Item]) -> int:
    with Session(engine) as session:
        return sum(found.digest for found in session.scalars(select(entity)).all())


def insert_people(engine: Engine, samples: Samples, count: int) -> Prepared:
    people = samples.people(count)
    return Prepared(
        lambda: insert_all(engine, [Person(**person) for person in people]),
        lambda inserted: tally(engine) + len(inserted),
    )


def insert_items(engine: Engine, samples: Samples, count: int) -> Prepared:
    items = samples.items(count)
    return Prepared(
        lambda: insert_all(engine, [Item(**item) for item in items]),
        lambda inserted: digest_of_all(engine, Item) + len(inserted),
    )


def fetch_people(engine: Engine, samples: Samples, count: int) -> Prepared:
    return Prepared(lambda: digest_of_all(engine, Person), int)


def fetch_items(engine: Engine, samples: Samples, count: int) -> Prepared:
    return Prepared(lambda: digest_of_all(engine, Item), int)


def filter_people(engine: Engine, samples: Samples, count: int) -> Prepared:
    def measure() -> int:
        digest = 0
        for turn in range(100):
            older = select(Person).where(Person.age > 18 + turn % 40).order_by(Person.name).limit(count // 100)
            with Session(engine) as session:
                digest += sum(person.digest for person in session.scalars(older))
        return digest

    return Prepared(measure, int)


def fetch_by_identifier(engine: Engine, samples: Samples, count: int) -> Prepared:
    with Session(engine) as session:
        keys = session.scalars(select(Person.id).order_by(Person.created_at)).all()
    keys = [keys[place] for place in samples.order(count)]

    def measure() -> int:
        with Session(engine) as session:
            return sum(session.get_one(Person, key).digest for key in keys)

    return Prepared(measure, int)


def change_people(engine: Engine, samples: Samples, count: int) -> Prepared:
    def measure() -> None:
        with Session(engine) as session, session.begin():
            for person in session.scalars(select(Person).where(Person.age < 28)).all():
                person.score += 1.5

    return Prepared(measure, lambda _: tally(engine))


def delete_people(engine: Engine, samples: Samples, count: int) -> Prepared:
    def measure() -> None:
        with Session(engine) as session, session.begin():
            for person in session.scalars(select(Person).where(Person.age < 28)).all():
                session.delete(person)

    return Prepared(measure, lambda _: tally(engine))


def group_people(engine: Engine, samples: Samples, count: int) -> Prepared:
    groups = select(Person.age, func.count(), func.avg(Person.score), func.max(Person.score)).group_by(Person.age)

    def measure() -> int:
        digest = 0
        for _ in range(100):
            with Session(engine) as session:
                for age, number, average, maximum in session.execute(groups):
                    digest += age * number + int(average * 1_000) + int(maximum * 8)
        return digest

    return Prepared(measure, int)


def commit_one_by_one(engine: Engine, samples: Samples, count: int) -> Prepared:
    people = samples.people(count // 50)

    def measure() -> None:
        for person in people:
            with Session(engine) as session, session.begin():
                session.add(Person(**person))

    return Prepared(measure, lambda _: tally(engine))


def fetch_families(engine: Engine, samples: Samples, count: int) -> Prepared:
    families = select(Parent).options(selectinload(Parent.children))

    def measure() -> int:
        digest = 0
        for _ in range(10):
            with Session(engine) as session:
                for parent in session.scalars(families):
                    digest += len(parent.name)
                    for child in parent.children:
                        digest += len(child.name) + child.value
        return digest

    return Prepared(measure, int)


WORKLOADS = {
    "W1p": insert_people,
    "W1i": insert_items,
    "W2p": fetch_people,
    "W2i": fetch_items,
    "W3": filter_people,
    "W4": fetch_by_identifier,
    "W5": change_people,
    "W6": delete_people,
    "W7": group_people,
    "W9": commit_one_by_one,
    "W10": fetch_families,
}


def fill(engine: Engine, samples: Samples, workload: str, count: int) -> None:
    """Inserts the rows that a workload reads."""
    match workload:
        case "W1p" | "W1i" | "W9":
            pass
        case "W2i":
            insert_all(engine, [Item(**item) for item in samples.items(count)])
        case "W10":
            families = samples.families(count)
            parents = insert_all(engine, [Parent(name=family["name"]) for family in families])
            # The children of different parents are mixed.
            rounds = zip(*(family["children"] for family in families))
            children = [
                Child(**child, parent_id=parent.id) for round in rounds for parent, child in zip(parents, round)
            ]
            insert_all(engine, children)
        case _:
            insert_all(engine, [Person(**person) for person in samples.people(count)])
