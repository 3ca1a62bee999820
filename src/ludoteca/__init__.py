"""Ludoteca: tabletop games to play and to study."""

__version__ = "0.1.0"
