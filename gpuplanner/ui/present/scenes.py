"""The scenes of a presentation, in their order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.worded import Message, worded
from gpuplanner.ui.present import ask_scene, audit_scene, board_scene, compare_scene, duration_scene
from gpuplanner.ui.present.scene import Content, Seen


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene: its name in the corner, and what makes it."""

    name: Message
    content: Callable[[Seen], Content]


SCENES: Final = (
    Scene(worded("Audit"), audit_scene.content),
    Scene(worded("Board"), board_scene.content),
    Scene(worded("Duration"), duration_scene.content),
    Scene(worded("Compare"), compare_scene.content),
    Scene(worded("Ask"), ask_scene.content),
)
