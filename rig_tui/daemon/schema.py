"""The database's tables, as migrations: each brings the version before it one further.

Rule of this file: a migration that has been released never changes; a new need is a new
entry at the end.
"""

from __future__ import annotations

MIGRATIONS: tuple[str, ...] = (
    """
    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE rigs (rig_id TEXT PRIMARY KEY, doc TEXT NOT NULL);
    CREATE TABLE seats (seat_ref TEXT PRIMARY KEY, doc TEXT NOT NULL);
    CREATE TABLE people (
        entity_id TEXT NOT NULL UNIQUE, display_name TEXT NOT NULL, registered_at TEXT NOT NULL
    );
    CREATE TABLE asks (
        ask_id TEXT PRIMARY KEY,
        state TEXT NOT NULL,
        closed_key TEXT,
        closed_at TEXT,
        seat_ref TEXT NOT NULL,
        rig TEXT NOT NULL,
        person TEXT,
        kind TEXT,
        doc TEXT NOT NULL,
        tool_call TEXT NOT NULL
    );
    CREATE INDEX asks_pending ON asks (ask_id) WHERE state = 'pending';
    CREATE INDEX asks_closed ON asks (closed_key) WHERE closed_key IS NOT NULL;
    CREATE TABLE ask_rows (row_id TEXT PRIMARY KEY, ask_id TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE requests (
        key TEXT PRIMARY KEY, turn_id TEXT, ask_id TEXT, option_id TEXT, reason TEXT
    ) WITHOUT ROWID;
    CREATE TABLE transitions (
        transition_id INTEGER PRIMARY KEY,
        ask_id TEXT NOT NULL,
        row_id TEXT NOT NULL,
        at TEXT NOT NULL,
        state TEXT NOT NULL,
        note TEXT,
        actor TEXT,
        closure_reason TEXT,
        closure_target TEXT
    );
    CREATE INDEX transitions_of_ask ON transitions (ask_id);
    CREATE TABLE permits (
        sort_key TEXT PRIMARY KEY,
        at TEXT NOT NULL,
        session_name TEXT NOT NULL,
        cause TEXT NOT NULL,
        doc TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE runner_permits (
        sort_key TEXT PRIMARY KEY, at TEXT NOT NULL, session_name TEXT, doc TEXT NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE events (seq INTEGER PRIMARY KEY, at TEXT NOT NULL, data TEXT NOT NULL);
    CREATE TABLE operations (
        key TEXT NOT NULL,
        method TEXT NOT NULL,
        path TEXT NOT NULL,
        body_hash TEXT NOT NULL,
        status INTEGER NOT NULL,
        response TEXT NOT NULL,
        at TEXT NOT NULL,
        PRIMARY KEY (key, method, path)
    ) WITHOUT ROWID;
    """,
    """
    CREATE TABLE grants (grant_id TEXT PRIMARY KEY, doc TEXT NOT NULL) WITHOUT ROWID;
    """,
    """
    CREATE TABLE messages (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        message_id TEXT NOT NULL,
        seat_ref TEXT NOT NULL,
        sender TEXT NOT NULL,
        text TEXT NOT NULL,
        at TEXT NOT NULL
    );
    CREATE INDEX messages_of_seat ON messages (seat_ref);
    UPDATE seats SET doc = json_set(doc, '$.seat.declaration', json_object(
        'runner', json(iif(json_extract(doc, '$.seat.runner'), 'true', 'false')),
        'launch_result', json(iif(json_extract(doc, '$.reports_launch'), 'true', 'false')),
        'resume', json(iif(json_extract(doc, '$.reports_launch'), 'true', 'false'))
    ));
    """,
    """
    CREATE TABLE overrides (seat_ref TEXT PRIMARY KEY, doc TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE timeline (
        entry_id INTEGER PRIMARY KEY AUTOINCREMENT,
        seat_ref TEXT NOT NULL,
        kind TEXT NOT NULL,
        at TEXT NOT NULL,
        what TEXT NOT NULL,
        actor TEXT,
        reason TEXT,
        ask_id TEXT
    );
    CREATE INDEX timeline_of_seat ON timeline (seat_ref, entry_id);
    CREATE INDEX timeline_passing ON timeline (at) WHERE kind IN ('post','refused','error');
    CREATE TABLE audit (
        entry_id INTEGER PRIMARY KEY,
        action_id TEXT NOT NULL UNIQUE,
        ask_id TEXT NOT NULL,
        verb TEXT NOT NULL,
        row_id TEXT NOT NULL,
        actor TEXT NOT NULL,
        at TEXT NOT NULL,
        before TEXT NOT NULL,
        after TEXT NOT NULL,
        reason TEXT,
        annotation TEXT
    );
    CREATE INDEX audit_of_ask ON audit (ask_id);
    CREATE INDEX asks_closed_of_seat ON asks (seat_ref, closed_key) WHERE closed_key IS NOT NULL;
    CREATE INDEX permits_of_session ON permits (session_name, sort_key);
    """,
    """
    CREATE TABLE tool_calls (ask_id TEXT PRIMARY KEY, tool_call TEXT NOT NULL);
    INSERT INTO tool_calls SELECT ask_id, tool_call FROM asks;
    ALTER TABLE asks DROP COLUMN tool_call;
    """,
)
