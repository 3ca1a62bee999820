// The moving picture on a box: a few beats when it is first seen, and again when a pointer comes. Nobody who asks for less motion
// sees it move.
import { BEATS } from "../games/contract";

const PACE = 620; // milliseconds for a beat

export class MovingBox {
  /** The beat of the picture; Infinity while it stands still. */
  beat = $state(Infinity);
  #timer = 0;
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  /** Play when the picture comes into sight for the first time. */
  watch = (picture: HTMLElement): (() => void) => {
    const seen = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        seen.disconnect();
        this.play();
      },
      { threshold: 0.6 },
    );
    seen.observe(picture);
    return () => {
      seen.disconnect();
      clearInterval(this.#timer);
    };
  };

  play(): void {
    if (this.#calm.matches || this.beat !== Infinity) return;
    this.beat = 0;
    this.#timer = window.setInterval(() => {
      this.beat += 1;
      if (this.beat <= BEATS) return;
      clearInterval(this.#timer);
      this.beat = Infinity;
    }, PACE);
  }
}
