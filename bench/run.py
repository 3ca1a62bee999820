"""Prints every figure that Ludoteca claims: `make bench`. Rates are of processor time, ratios are of one run."""

import platform

import against_c
import against_open_spiel
import first_move


def main() -> None:
    print(f"Python {platform.python_version()} on {platform.machine()}")
    for measured in (against_c, against_open_spiel, first_move):
        for line in measured.measure():
            print(line, flush=True)


if __name__ == "__main__":
    main()
