"""KingBrick's fitted numbers: how likely a shot brings a King down, and who wins from a position.

python bench/kingbrick_prospects.py [--matches N] [--kept FOLDER] [--write] [--bots] [--best]

Bots play matches. Straight shots of their positions are made by the physics; the positions at the start of every turn
are compared with how the match ended. Both curves are fitted to some matches and checked on others. The second curve is
fitted together with what the physics adds to it: shots that fell a King more often than the first curve says
(answers.py). With --write they go to `prospects.json` in the game's folder, for reviews; with --bots also the first
curve and a second one without the physics, by which bots play. With --kept the matches stay in a folder, and the next
run goes on after the last one.

With --best only the last numbers are fitted: what people make of a position, by the chance of its best move in a
review. All matches count for that, and the check fits four fifths of them at a time and looks at the last fifth. They
are the matches that bench/judging.py judges: there five numbers make hardly any difference to 1,000 matches.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import judging
import kept_matches
import msgspec
import numpy as np
from kept_matches import table_of

from ludoteca.core.match import Match
from ludoteca.core.record import Record
from ludoteca.games.kingbrick import hand
from ludoteca.games.kingbrick.answers import Answers, fell
from ludoteca.games.kingbrick.fitted import BEST_AT, from_logit, logit, made_of_best, rounded, write
from ludoteca.games.kingbrick.fitted import fitted as shipped
from ludoteca.games.kingbrick.game import GAME
from ludoteca.games.kingbrick.hits import HitFeatures, Try, tries
from ludoteca.games.kingbrick.prospects import Features, features
from ludoteca.games.kingbrick.review import FITTED_TO
from ludoteca.games.kingbrick.state import State, flickable, king_of, other
from ludoteca.games.kingbrick.weighing import SEARCH, Weighing

MATCHES = 60  # to fit, and as many to check
PARTS = 5  # of the matches with best moves: each is checked by a fit to the others
SHOTS, MADE = 8, 4  # shots of a match, and how often each is made
RIDGE = 0.1  # keeps the weights of rare features small
# Armies and fouls differ so little that matches leave their weights open (the army's was -2.2 after 93 matches, with a
# standard error of 2.0). That bricks and flicks are worth something is known: as if so much more had been seen.
KNOWN, HELD = {"army": 2.0, "flicks": 0.5}, 25.0
HELD_BEST = 5.0  # the same for the chance of a best move, which is about what people have
RESAMPLED = 400  # times that matches are drawn anew to see how far a figure may be off
NAMES = (*Features._fields, "surprise")  # of what decides a match
GROUPS = 5  # of positions, from a low to a high chance


class Finished(NamedTuple):
    turns: list[State]  # at the start of every turn
    loser: int  # 0 after a draw


class Table(NamedTuple):
    """Features and results. `match` says which match a row is from: rows of one match are not independent."""

    features: Any
    result: Any
    match: Any


def played(split: str, matches: int, kept: Path | None) -> Iterator[Record]:
    """Yield matches between bots: the same ones for the same split."""
    for number in range(1, matches + 1):
        yield kept_matches.played(GAME.key, table_of(FITTED_TO, 2, number), number, split, kept)


def replayed(record: Record) -> Finished:
    match, turns = Match(GAME, record.options, record.seats), list[State]()
    for entry in record.log:
        state: State = match.state
        is_new = state.turn is not None and (not turns or turns[-1].now.number != state.turn.number)
        if is_new and entry.by and not state.now.acted and not state.placements:
            turns.append(state)
        match.follow((entry,))
    return Finished(turns, match.state.loser)


def shots(all_: Sequence[Finished]) -> Table:
    """Return straight shots of positions, and how often each brought the King down without a foul."""
    rows, rates, numbers = list[HitFeatures](), list[float](), list[int]()
    for number, match in enumerate(all_):
        rng = Random(number)
        found = list(_tries(match))
        for state, king, one in rng.sample(found, min(SHOTS, len(found))):
            rows.append(one.known)
            rates.append(fell(state, king, one.flick, hands(rng, MADE)) / MADE)
            numbers.append(number)
    return Table(np.array(rows), np.array(rates), np.array(numbers))


def _tries(match: Finished) -> Iterator[tuple[State, str, Try]]:
    for state in match.turns:
        for seat in (1, 2):
            king = king_of(other(seat), state)
            for name in flickable(state, seat):
                yield from ((state, king, one) for one in tries(state.poses, name, king))


def hands(rng: Random, count: int) -> list[hand.Error]:
    return [hand.Error(*(rng.gauss(0, 1) for _ in hand.Error._fields)) for _ in range(count)]


def positions(all_: Sequence[Finished]) -> Table:
    """Return the features of the positions at the start of every turn, and last how much the physics was a surprise."""
    rows, won, numbers = list[tuple[float, ...]](), list[float](), list[int]()
    for number, match in enumerate(all_):
        answers = Answers(hands(Random(number), SEARCH.replies), is_steady=False)
        for state in match.turns:
            rows.append((*features(state), answers.to(state, state.now.mover).surprise))
            won.append(_won(match, state))
            numbers.append(number)
    return Table(np.array(rows), np.array(won), np.array(numbers))


def best_moves(matches: int, kept: Path | None) -> Table:
    """Return the logits of the best moves in the positions that bench/judging.py judges, where a flick is left."""
    rows, won, numbers = list[float](), list[float](), list[int]()
    for number in range(1, matches + 1):
        for chosen in judging.positions(GAME, table_of(FITTED_TO, 2, number), [number], "bench", kept):
            if chosen.state.now.flicks:
                weighed = Weighing(chosen.state, chosen.seat, 1, Random("judge")).weighed([])
                rows.append(max(logit(worth.chance) for worth in weighed.values()))
                won.append(chosen.won)
                numbers.append(number)
    return Table(np.array(rows), np.array(won), np.array(numbers))


def fitted_best(table: Table) -> tuple[float, ...]:
    """Return what people make of best moves with the logits of BEST_AT: Newton's method, kept near these logits."""
    inside = np.clip(table.features, BEST_AT[0], BEST_AT[-1])
    hats = np.stack([np.interp(inside, BEST_AT, row) for row in np.eye(len(BEST_AT))], axis=1)
    found = np.array(BEST_AT)
    for _ in range(50):
        chance = 1 / (1 + np.exp(-hats @ found - (table.features - inside)))
        slope = hats.T @ (table.result - chance) - HELD_BEST * (found - BEST_AT)
        bend = (hats * (chance * (1 - chance))[:, None]).T @ hats + HELD_BEST * np.eye(len(BEST_AT))
        found = found + np.linalg.solve(bend, slope)
    return rounded(found.tolist())


def checked_best(table: Table) -> Iterator[str]:
    """Yield how well positions are told by numbers that are fitted to other matches."""
    found = []
    for part in range(PARTS):
        inside = table.match % PARTS == part
        numbers = fitted_best(Table(*(column[~inside] for column in table)))
        for best, won, match in zip(*(column[inside].tolist() for column in table), strict=True):
            found.append(judging.Judged(match, from_logit(made_of_best(best, numbers)), best, 0.0, won))
    yield from judging.calibration(found)


def _won(match: Finished, state: State) -> float:
    return 0.5 if not match.loser else float(match.loser != state.now.mover)


def fitted(table: Table, names: Sequence[str]) -> tuple[float, ...]:
    """Return the likeliest weights of features with these names: Newton's method on a logistic regression."""
    rows, found = table.features, np.zeros(table.features.shape[1])
    near = np.array([KNOWN.get(name, 0.0) for name in names])
    held = np.array([HELD if name in KNOWN else RIDGE for name in names])
    for _ in range(50):
        chance = chances(rows, found)
        slope = rows.T @ (table.result - chance) - held * (found - near)
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + np.diag(held)
        step = np.linalg.solve(bend, slope)
        found = found + step
        if float(np.abs(step).max()) < 1e-6:
            break
    return rounded(found.tolist())


def chances(rows: Any, weights: Any) -> Any:
    return 1 / (1 + np.exp(-rows @ np.asarray(weights)))


def log_loss(chance: Any, result: Any) -> float:
    held = np.clip(chance, 0.001, 0.999)
    return float(-(result * np.log(held) + (1 - result) * np.log(1 - held)).mean())


def checked(table: Table, weights: Sequence[float], what: str) -> Iterator[str]:
    """Yield how well a curve tells what happens in matches that it was not fitted to."""
    said = chances(table.features, weights)
    mean = np.full(len(said), table.result.mean())
    yield (
        f"  {len(said)} {what} of {len(set(table.match))} other matches: log loss {log_loss(said, table.result):.3f}, "
        f"{log_loss(mean, table.result):.3f} if all were given the mean"
    )
    order = np.argsort(said, kind="stable")
    for group in np.array_split(order, GROUPS):
        off = _error(said[group] - table.result[group], table.match[group])
        yield (
            f"    given {said[group[0]]:.2f} to {said[group[-1]]:.2f}: {said[group].mean():.3f} on average, happened "
            f"{table.result[group].mean():.3f} +- {off:.3f}"
        )


def agreeing(table: Table, weights: Sequence[float]) -> Iterator[str]:
    """Yield how often the seat that is next wins where the physics was a surprise, and where only the curve speaks."""
    said, surprised = chances(table.features, weights), table.features[:, -1] > 0
    alone = chances(table.features[:, :-1], weights[:-1])
    for name, inside in (("was a surprise", surprised), ("was none", ~surprised)):
        if inside.any():
            off = _error(said[inside] - table.result[inside], table.match[inside])
            yield (
                f"    where the physics {name}, {inside.sum()} positions: given {said[inside].mean():.3f} (by the "
                f"curve alone {alone[inside].mean():.3f}), happened {table.result[inside].mean():.3f} +- {off:.3f}"
            )


def _error(differences: Any, match: Any) -> float:
    """Return two standard errors of a mean: whole matches are drawn anew, because their rows end alike."""
    rng = np.random.default_rng(1)
    by_match = [differences[match == number] for number in np.unique(match)]
    sums, sizes = np.array([one.sum() for one in by_match]), np.array([len(one) for one in by_match])
    drawn = rng.integers(0, len(sums), (RESAMPLED, len(sums)))
    return 2 * float(np.std(sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=MATCHES, help="to fit, and as many to check")
    parser.add_argument("--kept", type=Path, help="a folder of matches to go on with")
    parser.add_argument("--write", action="store_true", help="write what reviews use into the game's folder")
    parser.add_argument("--bots", action="store_true", help="write also what bots use: measure their strength anew")
    parser.add_argument("--best", action="store_true", help="fit only what people make of best moves")
    given = parser.parse_args()
    if given.best:
        fit_best(given.matches, given.kept, given.write)
        return
    fit, check = ([*map(replayed, played(one, given.matches, given.kept))] for one in ("fit", "bench"))
    now, hit = shipped(), fitted(shots(fit), HitFeatures._fields)
    print(f"shots at a King, fitted: {dict(zip(HitFeatures._fields, hit, strict=True))}", flush=True)
    print_all(checked(shots(check), hit, "shots"))
    if given.bots:
        write(now := msgspec.structs.replace(now, hit=hit))  # the features of a position need the shots
    table, others = positions(fit), positions(check)
    review = fitted(table, NAMES)
    print(f"positions, fitted: {dict(zip(NAMES, review, strict=True))}", flush=True)
    print_all(checked(others, review, "positions"))
    print_all(agreeing(others, review))
    if given.bots:
        alone = table._replace(features=table.features[:, :-1])
        write(now := msgspec.structs.replace(now, position=fitted(alone, NAMES[:-1])))
    if given.write:
        write(msgspec.structs.replace(now, review=review))


def fit_best(matches: int, kept: Path | None, is_written: bool) -> None:
    table = best_moves(matches, kept)
    numbers = fitted_best(table)
    print(f"best moves, fitted to {len(table.result)} positions: {dict(zip(BEST_AT, numbers, strict=True))}")
    print_all(checked_best(table))
    if is_written:
        write(msgspec.structs.replace(shipped(), best=numbers))


def print_all(lines: Iterator[str]) -> None:
    for line in lines:
        print(line, flush=True)


if __name__ == "__main__":
    main()
