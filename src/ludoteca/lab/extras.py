"""Parts of the lab need libraries that not everybody wants: they come with an extra of the package."""

from importlib.util import find_spec

from ludoteca.core.errors import LudotecaError


class MissingExtra(LudotecaError):
    code = "extra/missing"


def need(module: str, extra: str, purpose: str) -> None:
    """Raise MissingExtra if a library is not installed."""
    if find_spec(module) is None:
        raise MissingExtra(f"{purpose} needs {module}: pip install 'ludoteca[{extra}]'")
