"""Words for files of a project: changes elsewhere, and suggested names."""

from collections.abc import Collection, Mapping
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale

from gpuplanner.app.file_watch import FileNews
from gpuplanner.charts.kit.translation import by_count, tr
from gpuplanner.files.project.project_backups import Seen
from gpuplanner.files.project.session_marks import Session
from gpuplanner.files.system.file_names import file_name
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.plan_names import head_name


def suggested(folder: str, document_name: str, plan: str, plans: Collection[str], suffix: str) -> str:
    """Where a file of a plan is suggested to be: demo, Plan A.xlsx in a folder, a place of its own for each plan.

    plans: the names of all plans, none of which another one's file may be called.
    """
    names = (document_name, head_name(plan, plans))
    return str(Path(folder) / file_name(", ".join(filter(None, names)), suffix))


@dataclass(frozen=True, slots=True)
class FileNotice:
    """title: in a few words; sentence: what it means; is_changed: there is another version to look at or to open.

    is_in_log: the log of a plan says more.
    """

    title: str
    sentence: str
    is_changed: bool = False
    is_in_log: bool = False


def moment(epoch_s: int) -> str:
    """A day and a time of the clock on the wall."""
    return numbers.locale().toString(QDateTime.fromSecsSinceEpoch(epoch_s), QLocale.FormatType.ShortFormat)


def notice_of(news: FileNews | None, *, is_modified: bool) -> FileNotice | None:
    """The one thing to say; None where there is nothing."""
    if news is None:
        return None
    name = news.path.name
    if news.seen is Seen.GONE:
        return FileNotice(
            tr("{name} is gone", name=name),
            tr("The file was moved, renamed or deleted. Save writes it again; your data is safe."),
        )
    if news.seen is Seen.CHANGED:
        sentence = tr("You see the earlier version. For the new one, open theirs.")
        if is_modified:
            sentence = tr("Your version has other changes. Save lets you choose.")
        title = tr("{name} was saved elsewhere", name=name)
        if news.written_s is not None:
            title = tr("{name} was saved elsewhere at {when}", name=name, when=moment(news.written_s))
        return FileNotice(title, sentence, is_changed=True)
    if news.others:
        return FileNotice(
            tr("{name} is open elsewhere too", name=name),
            tr("{who}. The second to save must choose.", who="; ".join(map(describe_session, news.others))),
        )
    return None


def figures_notice(name: str, changes: Mapping[str, int]) -> FileNotice | None:
    """What to say of a project whose figures changed since it was saved; None where none did.

    name: of its file. changes: how many the log of each plan states, by its name.
    """
    if not changes:
        return None
    count = sum(changes.values())
    sentence = by_count(
        count,
        "{count} change in {plans}. The log has the reason.",
        "{count} changes in {plans}. The log has the reasons.",
        count=numbers.whole(count),
        plans=", ".join(changes),
    )
    title = tr("Figures changed since {name} was saved", name=name)
    return FileNotice(title, sentence, is_in_log=True)


def describe_session(session: Session) -> str:
    """Who has the project open, and since when."""
    since = moment(session.since_s)
    if session.is_here:
        return tr("In another window on this computer, since {since}", since=since)
    if session.user:
        return tr("By {user} on {host}, since {since}", user=session.user, host=session.host, since=since)
    return tr("On {host}, since {since}", host=session.host, since=since)
