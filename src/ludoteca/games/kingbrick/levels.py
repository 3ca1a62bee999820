"""The settings of a level of KingBrick's bots: how much it tries out, and how badly it aims."""

import msgspec


class Sampling(msgspec.Struct, frozen=True):
    """A bot tries some flicks of the endless number, repeats the best ones, and aims the chosen one imprecisely."""

    samples: int
    finalists: int = 0  # tried again, as this hand might make them
    repeats: int = 0  # how often each
    replies: int = 0  # of the opponent, tried against each
    shake: float = 0.0  # the standard deviation of a direction, in degrees
    force: float = 0.0  # the same of a strength, as a part of it
    foresight: float = 1.0  # how much weight what the opponent may do next has


class Searching(Sampling, frozen=True):
    """A bot that searches among flicks as its hand makes them. `samples` aims come first, `repeats` is not used."""

    flicks: int = 0  # of its own that the physics works out for one decision
