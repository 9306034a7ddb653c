/** `--state`, `--days` and `--limit`: which applications a command is about. */
import { UsageFault } from "#cli/applications/command.ts";
import { DAY_MS } from "#lib/application/seoul-time.ts";
import { STATE_WORDS } from "#lib/channels/words.ts";
import type { ListOptions } from "#lib/storage/queries/owner.ts";
import { JOB_STATES } from "#lib/storage/tables.ts";

export const FILTER_OPTIONS = {
  state: { type: "string" },
  days: { type: "string" },
  limit: { type: "string" },
} as const;

export const FILTER_HELP = [
  `--state 상태   쉼표로 여럿: ${JOB_STATES.map((state) => `${state}(${STATE_WORDS[state]})`).join(", ")}`,
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
    states: typed.state?.split(",").map(stateIn),
    since: days === undefined ? undefined : now - days * DAY_MS,
    limit: wholeNumber("--limit", typed.limit),
  };
}

function stateIn(typed: string) {
  const word = typed.trim();
  const state = JOB_STATES.find((each) => each === word || STATE_WORDS[each] === word);
  if (state === undefined) throw new UsageFault("그런 상태는 없습니다.");
  return state;
}

function wholeNumber(name: string, typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  if (/^[1-9]\d{0,6}$/.test(typed)) return Number(typed);
  throw new UsageFault(`${name}에는 1 이상의 숫자를 적어 주세요.`);
}
