"""Questions 21 to 40 of the meeting."""

from typing import Final

from tests.meeting.question import Question

NEXT_TWENTY: Final[tuple[Question, ...]] = ()
