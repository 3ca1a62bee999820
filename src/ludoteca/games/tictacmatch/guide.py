"""What helps a search in Tic-Tac Match: how strong the levels are."""

from ludoteca.core.levels import TreeSearch

LEVELS = {
    "novice": TreeSearch(simulations=20),
    "casual": TreeSearch(simulations=100),
    "club": TreeSearch(simulations=500),
    "expert": TreeSearch(simulations=3000),
}
