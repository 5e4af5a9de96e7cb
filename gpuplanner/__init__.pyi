from gpuplanner.api import Error as Error
from gpuplanner.api import Project as Project
from gpuplanner.api import Result as Result
from gpuplanner.api import open as open
from gpuplanner.api import read as read
from gpuplanner.version import __version__ as __version__
