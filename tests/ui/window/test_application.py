"""What the first project needs is loaded before it comes, in the thread of the window."""

import subprocess
import sys

AFTER = """
import sys
import threading
from PySide6.QtCore import QCoreApplication
from gpuplanner.ui.window.application import WANTED, load_soon
application = QCoreApplication([])
assert not any(name in sys.modules for name in WANTED)
load_soon()
while not set(WANTED) <= set(sys.modules):
    application.processEvents()
assert "pyqtgraph" in sys.modules
assert threading.active_count() == 1
"""


def test_the_modules_exist_and_are_loaded_by_no_other_thread() -> None:
    subprocess.run([sys.executable, "-c", AFTER], check=True, timeout=60)
