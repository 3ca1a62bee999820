"""Text that people type and others read."""

import unicodedata


def clean_line(text: str) -> str:
    """Return one line of visible characters with single spaces: nothing can turn or hide the text beside it."""
    visible = "".join(char for char in unicodedata.normalize("NFC", text) if char.isprintable() or char.isspace())
    return " ".join(visible.split())
