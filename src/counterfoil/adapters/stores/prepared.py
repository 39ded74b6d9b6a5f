"""Owns statements that run several times a turn: SQLAlchemy writes their text once, then only the driver works.

Never: a database's own SQL, or a driver's error that is not wrapped as SQLAlchemy wraps it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from sqlalchemy import ClauseElement, Connection, Dialect, Select, bindparam
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql import ColumnElement

T = TypeVar("T")
Row = Sequence[Any]  # values as the driver gives them: of a damaged store they may be of any type


def through_driver(connection: Connection, text: str, work: Callable[[DBAPICursor], T]) -> T:
    """What ``work``, which runs ``text``, returns; with the driver's own cursor."""
    dialect, raw = connection.dialect, connection.connection
    errors = dialect.loaded_dbapi.Error
    cursor = raw.cursor()
    try:
        done = work(cursor)
    except errors as error:
        lost = dialect.is_disconnect(error, raw.dbapi_connection, cursor)
        if lost:  # else the pool would hand it out again
            connection.invalidate(error)
        raise DBAPIError.instance(text, None, error, errors, connection_invalidated=lost, dialect=dialect) from error
    cursor.close()
    return done


class Prepared:
    """A statement whose parameters are named like its columns and ``bindparam``s.

    Running a statement of Core takes ten times as long as SQLite does, for work that is the same each time.
    """

    def __init__(self, statement: ClauseElement) -> None:
        self._statement = statement
        self._texts: dict[str, str] = {}  # by database

    def rows(self, connection: Connection, **parameters: object) -> list[Row]:
        """Run it once and fetch everything."""
        text = self._begun(connection)

        def fetched(cursor: DBAPICursor) -> list[Row]:
            cursor.execute(text, parameters)
            return list(cursor.fetchall())

        return through_driver(connection, text, fetched)

    def each(self, connection: Connection, parameters: Sequence[dict[str, object]]) -> None:
        """Run it once for each set of parameters."""
        text = self._begun(connection)
        through_driver(connection, text, lambda cursor: cursor.executemany(text, parameters))

    def _begun(self, connection: Connection) -> str:
        """The text for the database of ``connection``, which is in a transaction then."""
        if not connection.in_transaction():
            connection.begin()  # as Core does: what is read together must be of one state
        return self._text(connection.dialect)

    def _text(self, dialect: Dialect) -> str:
        text = self._texts.get(dialect.name)
        if text is None:
            text = self._texts[dialect.name] = str(self._statement.compile(dialect=dialect))
        return text


class PreparedAmong:
    """A query for the rows whose ``column`` has one of some values: a text for each number of values."""

    def __init__(self, query: Select[Any], column: ColumnElement[Any]) -> None:
        self._query, self._column = query, column
        self._prepared: dict[int, Prepared] = {}

    def rows(self, connection: Connection, values: Sequence[object]) -> list[Row]:
        """The rows of ``values``, in no order."""
        count = len(values)
        if not count:
            return []
        if count not in self._prepared:
            among = self._column.in_([bindparam(f"value_{place}") for place in range(count)])
            self._prepared[count] = Prepared(self._query.where(among))
        return self._prepared[count].rows(connection, **{f"value_{n}": value for n, value in enumerate(values)})
