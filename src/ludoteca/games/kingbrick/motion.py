"""The film of a flick as a few bytes: 120 frames a second of whatever moved, and of the finger.

zlib of, little endian: u8 version, u8 frames a second, u16 frames, u8 tracks; then each track: u8 side (0 red,
1 blue, 255 the finger), u8 number, u16 first frame, u16 how many, and six columns: x, y and z in steps of 0.02 mm
as int16, and a rotation as its smallest three parts. Each column is its second differences modulo 65,536, low
bytes first, then high bytes.
"""

import struct
import zlib
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

VERSION = 1
FRAMES_A_SECOND = 120
QUANTUM = 0.02  # mm
MOST = 32767
FINGER = "finger"
SIDES = {"r": 0, "b": 1}
LEAST_MOVE, LEAST_TURN = 0.1, 1e-5  # mm, and of a quaternion's product: less is no movement

Words = np.ndarray[Any, np.dtype[np.uint16]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Sample = tuple[float, ...]  # x, y, z, qx, qy, qz, qw

HEAD = struct.Struct("<BBHB")
TRACK = struct.Struct("<BBHH")
# Which three parts are left when one is the largest.
OTHERS = np.array([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]])


class Track(NamedTuple):
    """One body's poses from a frame on; it holds the first before and the last after."""

    first: int
    poses: Floats


class Film:
    """Shoots what moves, frame after frame; the still frame before the first is number 0."""

    def __init__(self, still: dict[str, Sample]) -> None:
        self.frames = 1
        self._last = still
        self._tracks: dict[str, tuple[int, list[Sample]]] = {}

    def shoot(self, moving: Iterable[tuple[str, Sample]]) -> None:
        for name, sample in moving:
            first, poses = self._tracks.setdefault(name, (self.frames - 1, [self._last[name]]))
            poses.extend([poses[-1]] * (self.frames - first - len(poses)))  # while it was asleep
            poses.append(sample)
        self.frames += 1

    def develop(self) -> bytes:
        tracks = {name: Track(first, np.array(poses)) for name, (first, poses) in self._tracks.items()}
        return encode(self.frames, tracks)


def encode(frames: int, tracks: dict[str, Track]) -> bytes:
    parts = []
    for name, (first, poses) in tracks.items():
        if is_still(poses):
            continue
        words = packed(poses)
        changes = np.flatnonzero((words[1:] != words[:-1]).any(axis=1))
        start, end = changes[0], changes[-1] + 2
        words = words[start:end]
        side, number = (255, 0) if name == FINGER else (SIDES[name[0]], int(name[1:]))
        bends = words.copy()
        bends[1:] -= words[:-1]
        bends[2:] -= words[1:-1] - words[:-2]
        parts.append(TRACK.pack(side, number, first + start, len(words)))
        parts += [
            (column & 0xFF).astype(np.uint8).tobytes() + (column >> 8).astype(np.uint8).tobytes() for column in bends.T
        ]
    return zlib.compress(HEAD.pack(VERSION, FRAMES_A_SECOND, frames, len(parts) // 7) + b"".join(parts), 9)


def decode(motion: bytes) -> tuple[int, dict[str, Track]]:
    """How many frames, and the tracks by name."""
    flat = zlib.decompress(motion)
    version, rate, frames, count = HEAD.unpack_from(flat)
    if (version, rate) != (VERSION, FRAMES_A_SECOND):
        raise ValueError(f"unknown motion: version {version}, {rate} frames a second")
    at, tracks = HEAD.size, {}
    for _ in range(count):
        side, number, first, length = TRACK.unpack_from(flat, at)
        at += TRACK.size
        planes = np.frombuffer(flat, np.uint8, 12 * length, at).reshape(6, 2, length).astype(np.uint16)
        at += 12 * length
        bends = (planes[:, 0] | planes[:, 1] << 8).T
        slopes = np.cumsum(bends[1:], axis=0, dtype=np.uint16)
        words = np.cumsum(np.concatenate([bends[:1], slopes]), axis=0, dtype=np.uint16)
        name = FINGER if side == 255 else f"{'rb'[side]}{number}"
        tracks[name] = Track(first, unpacked(words))
    return frames, tracks


def cast(motion: bytes) -> tuple[int, list[str]]:
    """Return how many frames a film has and which bricks move in it, without their ways."""
    flat = zlib.decompress(motion)
    _, _, frames, count = HEAD.unpack_from(flat)
    at, names = HEAD.size, []
    for _ in range(count):
        side, number, _, length = TRACK.unpack_from(flat, at)
        at += TRACK.size + 12 * length
        if side != 255:
            names.append(f"{'rb'[side]}{number}")
    return frames, names


def is_still(poses: Floats) -> bool:
    moved = np.abs(poses[:, :3] - poses[0, :3]).max() >= LEAST_MOVE
    turned = (1 - np.abs(poses[:, 3:] @ poses[0, 3:])).max() >= LEAST_TURN
    return not (moved or turned)


def packed(poses: Floats) -> Words:
    """Six words a pose. What flies further than 655 mm away from the centre is held there."""
    places = np.clip(np.rint(poses[:, :3] / QUANTUM), -MOST, MOST).astype(np.int16).view(np.uint16)
    turns = poses[:, 3:] / np.linalg.norm(poses[:, 3:], axis=1, keepdims=True)
    largest = np.abs(turns).argmax(axis=1)[:, None]
    turns = np.where(np.take_along_axis(turns, largest, 1) < 0, -turns, turns)
    three = np.take_along_axis(turns, OTHERS[largest[:, 0]], 1)
    words = np.rint((three * np.sqrt(2) + 1) / 2 * MOST).astype(np.uint16)
    which = largest[:, 0].astype(np.uint16)
    words[:, 0] = words[:, 0] << 1 | which & 1  # the two bits that say which part was left out
    words[:, 1] = words[:, 1] << 1 | which >> 1
    return np.concatenate([places, words], axis=1)


def unpacked(words: Words) -> Floats:
    places = words[:, :3].view(np.int16) * QUANTUM
    which = words[:, 3] & 1 | (words[:, 4] & 1) << 1
    three = words[:, 3:].astype(np.float64)
    three[:, :2] = words[:, 3:5] >> 1
    three = (three / MOST * 2 - 1) / np.sqrt(2)
    turns = np.empty((len(words), 4))
    np.put_along_axis(turns, OTHERS[which], three, 1)
    largest = np.sqrt(np.clip(1 - (three**2).sum(axis=1), 0, 1))
    np.put_along_axis(turns, which[:, None].astype(np.int64), largest[:, None], 1)
    return np.concatenate([places, turns], axis=1)
