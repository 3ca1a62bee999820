// The players of the computer. Each level has a few of its own, with a name in every language and a face (parts/BotFace).
import { levelName } from "./levels";
import { hasWords, t } from "./words.svelte";

interface Seated {
  bot: string | null;
  name: string | null;
}

/** Which of the players of its level a bot is: at one table no two are the same. */
export function botNumber(seats: readonly Seated[], index: number): number {
  return seats.slice(0, index).filter(({ bot }) => bot === seats[index]!.bot).length;
}

/** The name of a level's player. Levels that the page does not know are named after themselves. */
export function botName(level: string, number: number): string {
  const key = "bot." + level;
  const names = hasWords(key) ? t(key).split(", ") : [levelName(level)];
  const name = names[number % names.length]!;
  return number < names.length ? name : `${name} ${Math.floor(number / names.length) + 1}`;
}

/** What a seat's player is called, or null while nobody sits there. */
export function playerName(seats: readonly Seated[], index: number): string | null {
  const { bot, name } = seats[index]!;
  return bot ? botName(bot, botNumber(seats, index)) : name;
}

/** The same where the level is seen nowhere else: "Pip (novice)". */
export function playerWithLevel(seats: readonly Seated[], index: number): string | null {
  const { bot } = seats[index]!;
  const name = playerName(seats, index);
  return bot && name ? t("bot.with_level", { name, level: levelName(bot) }) : name;
}
