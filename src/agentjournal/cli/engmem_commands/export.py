"""`engmem export`: one document for somebody else, looked at before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from agentjournal.cli.engmem_commands.session import with_store
from agentjournal.engmem.export.preview import preview
from agentjournal.engmem.export.written import write_export
from agentjournal.errors import InputError

if TYPE_CHECKING:
    from agentjournal.cli.engmem_commands.session import StoreSession

__all__ = ["export"]


@click.command(
    epilog="\b\nExamples:\n  engmem export 2201-parcel-router\n"
    "  engmem export 2201-parcel-router --out router.md --confirm 7449b25c2c8e8225"
)
@click.argument("id_", metavar="ID")
@click.option("--out", metavar="FILE", help="The new file, outside the store.")
@click.option("--confirm", metavar="FINGERPRINT", help="What the preview printed.")
@with_store
def export(session: StoreSession, id_: str, out: str | None, confirm: str | None) -> None:
    """Show what would be handed over, then write exactly that.

    References to other documents, paths of this machine and secrets are taken out and listed.
    """
    if (out is None) != (confirm is None):
        raise InputError(
            "--out and --confirm go together; nothing was written.",
            next=f"Look first: engmem export {id_}",
        )
    shown = preview(session.root, session.index, id_, (str(session.world.home),))
    if out is None or confirm is None:
        session.output.result(shown.text(), shown.data_of())
        return
    told = write_export(shown, session.root, session.world.cwd / out, confirm)
    session.output.result(told, {"written": told, "fingerprint": shown.fingerprint})
