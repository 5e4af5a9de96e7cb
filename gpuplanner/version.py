"""The version, beside the package's own file: whoever imports that names all that scripts use."""

__version__ = "0.1.0"
