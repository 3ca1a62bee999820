"""The games. Folders named in LUDOTECA_GAMES hold more of them, as if they stood here."""

import os

__path__ += [folder for folder in os.environ.get("LUDOTECA_GAMES", "").split(os.pathsep) if folder]
SHELF = tuple(__path__)  # where the games of the shelf are; tests add the folder of the examples to __path__ alone
