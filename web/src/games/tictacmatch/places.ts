// The places of things on the screen, so that cards can fly between them: `pile`, `discards`, `hand`, `seat 2`, `a1`.

const places = new Map<string, Element>();

/** Register an element under this name. */
export function at(name: string) {
  return (element: Element) => {
    places.set(name, element);
    return () => {
      if (places.get(name) === element) places.delete(name);
    };
  };
}

export interface Point {
  x: number;
  y: number;
  width: number;
}

/** Return the middle and the width of a place. */
export function where(name: string): Point | null {
  const box = places.get(name)?.getBoundingClientRect();
  return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2, width: box.width } : null;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const isCalm = (): boolean => calm.matches;

/** Animate an element that has just appeared, from another place to its own. */
export function travel(element: Element, from: string | null): void {
  const source = from === null ? null : where(from);
  const goal = element.getBoundingClientRect();
  if (!source || calm.matches || !goal.width) return;
  const [x, y] = [source.x - goal.x - goal.width / 2, source.y - goal.y - goal.height / 2];
  element.animate([{ transform: `translate(${x}px, ${y}px) scale(${Math.min(1, source.width / goal.width)})` }, {}], { duration: 280, easing: "cubic-bezier(0.3, 0.6, 0.25, 1)" });
}
