// The computer's players. Each level has a few, with a name in every language and a face (parts/BotFace).
import { levelName } from "./levels";
import { hasWords, t } from "./words.svelte";

interface Seated {
  bot: string | null;
  name: string | null;
}

/** Return which of its level's players a bot is: no two bots at a table are the same. */
export function botNumber(seats: readonly Seated[], index: number): number {
  return seats.slice(0, index).filter(({ bot }) => bot === seats[index]!.bot).length;
}

/** Return the name of a level's player, or the level itself if the page does not know it. */
export function botName(level: string, number: number): string {
  const key = "bot." + level;
  const names = hasWords(key) ? t(key).split(", ") : [levelName(level)];
  const name = names[number % names.length]!;
  return number < names.length ? name : `${name} ${Math.floor(number / names.length) + 1}`;
}

/** Return the name of a seat's player, or null if the seat is free. */
export function playerName(seats: readonly Seated[], index: number): string | null {
  const { bot, name } = seats[index]!;
  return bot ? botName(bot, botNumber(seats, index)) : name;
}

/** Return the name with the level, where nothing else shows the level: "Pip (novice)". */
export function playerWithLevel(seats: readonly Seated[], index: number): string | null {
  const { bot } = seats[index]!;
  const name = playerName(seats, index);
  return bot && name ? t("bot.with_level", { name, level: levelName(bot) }) : name;
}
