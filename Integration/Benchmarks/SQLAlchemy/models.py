"""The benchmark's tables as mapped classes. The property `digest` reads every field of a row and adds up the values."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import BigInteger, DateTime, Double, ForeignKey, Identity, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    type_annotation_map = {
        int: BigInteger,
        float: Double,
        str: Text(collation="C"),
        datetime: DateTime(timezone=True),
    }


class Person(Base):
    __tablename__ = "person"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    name: Mapped[str] = mapped_column(index=True)
    email: Mapped[str] = mapped_column(unique=True)
    age: Mapped[int]
    score: Mapped[float]
    active: Mapped[bool]
    created_at: Mapped[datetime]
    bio: Mapped[str | None]

    @property
    def digest(self) -> int:
        return (
            (1 if self.id else 0)
            + len(self.name)
            + len(self.email)
            + self.age
            + int(self.score * 8)
            + (1 if self.active else 0)
            + int(self.created_at.timestamp())
            + len(self.bio or "")
        )


class Item(Base):
    __tablename__ = "item"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    a: Mapped[int]
    b: Mapped[int]
    c: Mapped[int]
    d: Mapped[int]
    e: Mapped[int]
    f: Mapped[int]
    g: Mapped[int]
    h: Mapped[int]
    i: Mapped[int]
    j: Mapped[int]

    @property
    def digest(self) -> int:
        return (
            (1 if self.id else 0)
            + self.a + self.b + self.c + self.d + self.e + self.f + self.g + self.h + self.i + self.j
        )


class Parent(Base):
    __tablename__ = "parent"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    name: Mapped[str]
    children: Mapped[list[Child]] = relationship(back_populates="parent")


class Child(Base):
    __tablename__ = "child"

    id: Mapped[int] = mapped_column(Identity(), primary_key=True)
    parent_id: Mapped[int] = mapped_column(ForeignKey("parent.id"), index=True)
    name: Mapped[str]
    value: Mapped[int]
    parent: Mapped[Parent] = relationship(back_populates="children")
