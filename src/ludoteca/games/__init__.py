"""The games. The folders named in LUDOTECA_GAMES hold more games, which are found as if they were here."""

import os

__path__ += [folder for folder in os.environ.get("LUDOTECA_GAMES", "").split(os.pathsep) if folder]
SHELF = tuple(__path__)  # the folders of the shelf; tests add the examples only to __path__
