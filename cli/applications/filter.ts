/** `--state`, `--days` and `--limit`: which applications a command is about. */

import { UsageFault } from "#cli/applications/command.ts";
import { DELIVERY_STATES, type DeliveryState } from "#lib/application/delivery-states.ts";
import { STATE_WORDS } from "#lib/channels/words.ts";
import type { ListOptions } from "#lib/storage/queries/owner-queries.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Everything that the owner does not have yet. */
const OPEN_STATES = DELIVERY_STATES.filter((state) => state !== "delivered");

export const FILTER_OPTIONS = {
  state: { type: "string" },
  days: { type: "string" },
  limit: { type: "string" },
} as const;

export const FILTER_HELP = [
  "--state 상태   쉼표로 여럿: open(아직 전달되지 않은 모두), " +
    Object.entries(STATE_WORDS)
      .map(([state, word]) => `${state}(${word})`)
      .join(", "),
  "--days 일수    며칠 안에 접수된 것만",
  "--limit 건수   가장 최근 것부터 몇 건만",
];

/** The options as they were typed → what the store is asked for. @throws UsageFault */
export function filterIn(
  typed: { state?: string | undefined; days?: string | undefined; limit?: string | undefined },
  now: number,
): ListOptions {
  const days = wholeNumber("--days", typed.days);
  return {
    states: typed.state === undefined ? undefined : statesIn(typed.state),
    since: days === undefined ? undefined : now - days * DAY_MS,
    limit: wholeNumber("--limit", typed.limit),
  };
}

function statesIn(typed: string): readonly DeliveryState[] {
  return typed.split(",").flatMap((part) => {
    const word = part.trim();
    if (word === "open" || word === "미전달") return OPEN_STATES;
    const state = DELIVERY_STATES.find((each) => each === word || STATE_WORDS[each] === word);
    if (state !== undefined) return [state];
    throw new UsageFault("그런 상태는 없습니다.");
  });
}

function wholeNumber(name: string, typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(typed)) return Number(typed);
  throw new UsageFault(`${name}에는 1 이상의 숫자를 적어 주세요.`);
}
