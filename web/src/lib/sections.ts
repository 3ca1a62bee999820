// Names of sections in addresses.

/** Return a heading as a part of an address: "Six in a line!" is "six-in-a-line". No two sections of a page have the same. */
export function sectionName(heading: string, taken: readonly string[]): string {
  const plain = heading.normalize("NFD").replace(/\p{M}/gu, "").toLocaleLowerCase();
  const name = plain.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "section";
  let free = name;
  for (let n = 2; taken.includes(free); n += 1) free = `${name}-${n}`;
  return free;
}
