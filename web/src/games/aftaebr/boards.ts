// Boards for pictures: stacks named square by square, the lowest piece first, `c3:G1O2`.

export function boardOf(stacks: string): Record<string, string[]> {
  return Object.fromEntries(stacks.split(" ").map((stack) => [stack.slice(0, 2), stack.slice(3).match(/../g) ?? []]));
}

/** Return the top pieces of these squares, which would be taken. */
export function topsOf(board: Record<string, string[]>, squares: string): Record<string, string> {
  return Object.fromEntries(squares.split(" ").filter(Boolean).map((square) => [square, board[square]!.at(-1)!]));
}
