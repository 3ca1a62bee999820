"""How positions of Tic-Tac Match are judged in a review."""

from ludoteca.core.levels import Judging, TreeSearch

JUDGING = Judging(quick=TreeSearch(simulations=2500), deep=TreeSearch(simulations=3000), candidates=3, proves=2000)
