"""The bots of Connect Four: a tree search, which needs no help."""

from ludoteca.core.levels import TreeSearch

LEVELS = {
    "novice": TreeSearch(simulations=20),
    "casual": TreeSearch(simulations=150),
    "club": TreeSearch(simulations=1000),
    "expert": TreeSearch(simulations=10000),
}
