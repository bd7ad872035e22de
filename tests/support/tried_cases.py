"""Thirty claims of invented projects, twenty questions in other words, ten about other things.

The questions were written before the ranking was tuned, and none was changed to fit it.
"""

from __future__ import annotations

from agentjournal.recall.claim import Claim

RULED_OUT = {
    "queue-memory": (
        "Keep the retry counter in process memory",
        "It is lost at every restart, so a poisoned message was retried for ever.",
    ),
    "queue-redis": (
        "Redis lists as the job queue",
        "A job popped by a worker that dies is gone; BRPOPLPUSH needs a reaper of its own.",
    ),
    "queue-celery": (
        "Celery for background jobs",
        "Brings a broker that nobody here can operate, and hides failures in its result backend.",
    ),
    "poll": (
        "Poll the outbox table every second",
        "Burned 12 % CPU on an idle database; LISTEN/NOTIFY woke up at once.",
    ),
    "exactly-once": (
        "Exactly-once delivery to the webhook receivers",
        "Cannot be promised over HTTP; receivers deduplicate by the event id instead.",
    ),
    "uuid4": (
        "Random UUIDv4 primary keys",
        "Inserts scattered over the whole index and doubled the write amplification.",
    ),
    "soft-delete": (
        "Soft deletion with a deleted_at column",
        "Every query forgot the filter sooner or later, and unique constraints stopped working.",
    ),
    "orm-lazy": (
        "Lazy loading of relations in the ORM",
        "The order page issued 1,400 queries; loading is now explicit.",
    ),
    "float-money": (
        "Amounts as floating point numbers",
        "Totals drifted by a cent after 40 line items; we store integers in minor units.",
    ),
    "sequence-gap": (
        "A database sequence for invoice numbers",
        "Rollbacks leave gaps, and auditors demand a gapless series.",
    ),
    "jwt": (
        "JWT session tokens kept in localStorage",
        "Readable by any injected script, and cannot be revoked before they expire.",
    ),
    "bcrypt": (
        "Raising the bcrypt cost to 14",
        "Login took 1.9 s on the small instances; argon2id gave the same strength for 250 ms.",
    ),
    "client-time": (
        "Trusting the client's clock for ordering of edits",
        "Phones are minutes apart, so older edits overwrote newer ones.",
    ),
    "crdt": (
        "A CRDT for the shared document",
        "Merges were fine, but the metadata grew to 30 times the text.",
    ),
    "gzip": (
        "Compressing responses inside the application",
        "Took the CPU that requests needed; the proxy does it now.",
    ),
    "regex-html": (
        "Stripping HTML tags with a regular expression",
        "Nested comments got through; a real parser with an allow-list is used.",
    ),
    "sse": (
        "WebSockets for the progress bar",
        "Corporate proxies drop them; server-sent events pass everywhere.",
    ),
    "monorepo-cache": (
        "Caching node_modules between CI runs by branch name",
        "Restored stale packages after a rebase; the lock file's hash is the key now.",
    ),
    "docker-alpine": (
        "Alpine as the base image",
        "musl has no wheels for our dependencies, builds went from 1 to 19 minutes.",
    ),
    "canary": (
        "Splitting traffic by user id for canary releases",
        "Large tenants share one id range, so the canary saw none of the load that mattered.",
    ),
}
DECIDED = {
    "search-postgres": (
        "Full-text search: PostgreSQL tsvector",
        "Elasticsearch would be a second store to keep in step for 40,000 rows.",
    ),
    "migrations": (
        "Schema migrations: forward only",
        "Down migrations were never tested and lost a column in production.",
    ),
    "pagination": (
        "Pagination: keyset on (created_at, id)",
        "OFFSET re-reads everything before the page and skips rows under concurrent inserts.",
    ),
    "timezone": (
        "Timestamps: UTC in the store, zone of the viewer when rendered",
        "Local times made the daylight saving hour ambiguous in reports.",
    ),
    "feature-flags": (
        "Feature flags: a table read once a minute",
        "The hosted service was down for an hour and took the checkout with it.",
    ),
}
LESSONS = {
    "pool": (
        "A connection pool shared across fork corrupted replies",
        "Two workers read from one socket; each process now opens its own after the fork.",
    ),
    "retry-storm": (
        "Retries without jitter knocked the payment provider over again",
        "All clients woke in the same second; backoff is randomised and capped.",
    ),
    "csv": (
        "Loading the customer export into memory killed the importer",
        "The file had 9 GB; rows are streamed in batches of 5,000.",
    ),
    "lock-order": (
        "Transfers between accounts deadlocked",
        "Rows were locked in request order; they are now locked by ascending account id.",
    ),
    "cert": (
        "The TLS certificate expired unnoticed over the holidays",
        "Renewal ran but nothing reloaded nginx; a probe now checks the days that are left.",
    ),
}

# What is asked, and the claim that must be among the first three.
PARAPHRASED = {
    "can we hold the number of retries in memory instead of a table?": "queue-memory",
    "what about a redis-backed queue for the jobs": "queue-redis",
    "run background tasks with celery workers": "queue-celery",
    "should the worker check the outbox in a polling loop": "poll",
    "guarantee that each webhook is delivered exactly one time": "exactly-once",
    "use v4 UUIDs for the primary key": "uuid4",
    "mark rows as deleted instead of removing them": "soft-delete",
    "let the ORM load related objects lazily": "orm-lazy",
    "store money as float": "float-money",
    "number the invoices from a postgres sequence": "sequence-gap",
    "put the session JWT into local storage": "jwt",
    "order concurrent edits by the timestamp the client sends": "client-time",
    "would conflict-free replicated types (CRDTs) help with document sharing": "crdt",
    "gzip the response body in our middleware or compress it elsewhere": "gzip",
    "sanitize user html using regexes": "regex-html",
    "websocket for showing upload progress": "sse",
    "switch the Dockerfile to an alpine image to make it smaller": "docker-alpine",
    "add elasticsearch for searching articles": "search-postgres",
    "limit/offset paging for the list endpoint": "pagination",
    "why do account transfers take their locks in a fixed order": "lock-order",
}

UNRELATED = (
    "which colour palette do the charts use in dark mode",
    "translate the onboarding emails into Portuguese",
    "tune the garbage collector of the JVM services",
    "GraphQL subscriptions for the mobile app",
    "how are vacation days approved",
    "rewrite the shader pipeline in Vulkan",
    "pin the terraform provider versions",
    "speech recognition for the call centre",
    "rate limit anonymous visitors of the landing page",
    "sign the macOS installer with a notarised certificate chain",
)


def _claim(name: str, text: tuple[str, str], verdict: str) -> Claim:
    what, why = text
    return Claim(
        id=name,
        what=what,
        verdict=verdict,
        why=why,
        evidence="step 1f2e3d4c",
        scope="shop T-001",
        source="log",
        standing="in force",
        reopen_if=None,
        actor="worker-1",
        revision=1,
    )


def claims() -> tuple[Claim, ...]:
    """Give all thirty, as if they stood in a log."""
    return (
        *(_claim(name, text, "rejected") for name, text in RULED_OUT.items()),
        *(_claim(name, text, "decided") for name, text in DECIDED.items()),
        *(_claim(name, text, "lesson") for name, text in LESSONS.items()),
    )
