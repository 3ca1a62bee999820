"""Rendering of every game: as text, as an array of pixels, or in a window. A game's drawing.py says what to draw."""

import math
from typing import Any

import numpy as np

from ludoteca.core.drawing import Colour, Disc, Label, Picture, Polygon, drawing
from ludoteca.core.errors import LudotecaError

HUMAN, ANSI, RGB_ARRAY = MODES = ("human", "ansi", "rgb_array")
FRAMES_A_SECOND = 4
PIXELS = 480  # of the longer side
LETTER_WIDTH, LETTER_HEIGHT = 3, 5
# Letters of three by five dots, row by row from the top.
LETTERS = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717", "6": "74757", "7": "71222",
    "8": "75757", "9": "75717", "A": "25755", "B": "65656", "C": "34443", "D": "65556", "F": "74644", "G": "34553",
    "H": "55755", "K": "55655", "M": "57555", "N": "65555", "O": "25552", "P": "65644", "R": "65655", "S": "34216",
    "T": "72222", "W": "55575", "X": "55255", "Y": "55222", "?": "61202",
}  # fmt: skip


class BadRenderMode(LudotecaError):
    code = "environment/render_mode"


def checked(mode: str | None) -> str | None:
    if mode is not None and mode not in MODES:
        raise BadRenderMode(f"render_mode {mode!r}: one of {', '.join(MODES)} is wanted")
    return mode


class Screen:
    """Where an environment shows its board."""

    def __init__(self, key: str, mode: str | None) -> None:
        self._key, self._mode = key, checked(mode)
        self._window: Any = None

    def shown(self, view: dict[str, Any]) -> Any:
        """Show a view. Return the text or the pixels; None where nobody asked for any, or where there is a window."""
        if self._mode is None:
            return None
        if self._mode == ANSI:
            return drawing(self._key).text(view)
        pixels = rasterized(drawing(self._key).picture(view))
        if self._mode == RGB_ARRAY:
            return pixels
        self._show(pixels)
        return None

    def _show(self, pixels: Any) -> None:
        import pygame

        if self._window is None:
            pygame.display.init()
            self._window = pygame.display.set_mode((pixels.shape[1], pixels.shape[0]))
            pygame.display.set_caption(self._key)
            self._clock = pygame.time.Clock()
        pygame.event.pump()
        self._window.blit(pygame.surfarray.make_surface(np.swapaxes(pixels, 0, 1)), (0, 0))
        pygame.display.flip()
        self._clock.tick(FRAMES_A_SECOND)

    def close(self) -> None:
        if self._window is not None:
            import pygame

            pygame.display.quit()
            self._window = None


def rasterized(picture: Picture) -> Any:
    """Return a picture as rows of pixels, from the top, in red, green and blue."""
    scale = PIXELS / max(picture.width, picture.height)
    canvas = Canvas(round(picture.width * scale), round(picture.height * scale), scale, picture.background)
    for shape in picture.shapes:
        match shape:
            case Disc():
                canvas.disc(shape)
            case Polygon():
                canvas.polygon(shape)
            case Label():
                canvas.label(shape)
    return canvas.pixels


class Canvas:
    def __init__(self, width: int, height: int, scale: float, background: Colour) -> None:
        self.pixels = np.empty((height, width, 3), np.uint8)
        self.pixels[:] = background
        self._scale = scale

    def _window(self, left: float, low: float, right: float, high: float) -> tuple[Any, Any, Any]:
        """Return the pixels of a rectangle, with the x and y of their centres, in cells."""
        height, width, _ = self.pixels.shape
        first, last = max(0, math.floor(left * self._scale)), min(width, math.ceil(right * self._scale))
        top, bottom = (
            max(0, height - math.ceil(high * self._scale)),
            min(height, height - math.floor(low * self._scale)),
        )
        x = (np.arange(first, last) + 0.5) / self._scale
        y = (height - np.arange(top, bottom) - 0.5) / self._scale
        return self.pixels[top:bottom, first:last], x[None, :], y[:, None]

    def disc(self, disc: Disc) -> None:
        r = disc.radius
        pixels, x, y = self._window(disc.x - r, disc.y - r, disc.x + r, disc.y + r)
        dx, dy = x - disc.x, y - disc.y
        inside = dx * dx + dy * dy <= r * r
        quarter = np.where(dx >= 0, np.where(dy >= 0, 1, 2), np.where(dy < 0, 4, 8))
        pixels[inside & (quarter & disc.quarters > 0)] = disc.colour

    def polygon(self, polygon: Polygon) -> None:
        xs, ys = zip(*polygon.corners, strict=True)
        pixels, x, y = self._window(min(xs), min(ys), max(xs), max(ys))
        inside = np.ones(pixels.shape[:2], np.bool_)
        for (ax, ay), (bx, by) in zip(polygon.corners, (*polygon.corners[1:], polygon.corners[0]), strict=True):
            inside &= (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0
        pixels[inside] = polygon.colour

    def label(self, label: Label) -> None:
        dot = label.size / LETTER_HEIGHT
        width = (len(label.text) * (LETTER_WIDTH + 1) - 1) * dot
        left, top = label.x - width / 2, label.y + label.size / 2
        for place, letter in enumerate(label.text):
            for row, bits in enumerate(LETTERS.get(letter.upper(), "")):
                for column in range(LETTER_WIDTH):
                    if int(bits) >> LETTER_WIDTH - 1 - column & 1:
                        x, y = left + (place * (LETTER_WIDTH + 1) + column) * dot, top - (row + 1) * dot
                        pixels, _, _ = self._window(x, y, x + dot, y + dot)
                        pixels[:] = label.colour
