/**
 * Whether the wall clock can be believed. A clock that is set, by a person, a time server or a host that
 * wakes up, would otherwise make an application that came in a moment ago look a year old.
 */
import { performance } from "node:perf_hooks";
import { type Clock, systemClock } from "#lib/clock.ts";
import { log } from "#lib/log.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** A jump of the wall clock: when it was seen, by the new time, and how far it went; negative is back. */
export interface ClockJump {
  at: number;
  ms: number;
}

/** For how long the wall clock had agreed with the monotonic one, in ms, when it showed `at`. */
export interface ClockAgreement {
  at: number;
  ms: number;
}

export interface ClockStatus {
  /** The clock has agreed with the monotonic one for a day of running: things may be deleted by their age. */
  steady: boolean;
  /** The last jump that this process has seen. */
  jump: ClockJump | undefined;
}

/**
 * Whether an agreement still holds after a restart. Nobody has watched the wall clock in between: more than an
 * hour counts as a jump here too.
 */
const isContinued = ({ at }: ClockAgreement, now: number) => Math.abs(now - at) <= HOUR_MS;

/** Whether what a running process has noted proves the wall clock to another one, such as a command. */
export function isProven(agreement: ClockAgreement, now: number): boolean {
  return agreement.ms >= DAY_MS && isContinued(agreement, now);
}

interface Parts {
  now?: Clock;
  /** ms that only grow, however the wall clock is set. */
  monotonic?: Clock;
  onJump?: (jump: ClockJump) => void;
}

/** Watches the wall clock. Whoever depends on it asks for its status at least every few minutes. */
export class TrustedClock {
  readonly #now: Clock;
  readonly #monotonic: Clock;
  readonly #onJump: (jump: ClockJump) => void;
  /** How far the wall clock was ahead of the monotonic one when the present day of watching began. */
  #offset: number;
  #since: number;
  #jump: ClockJump | undefined;

  constructor({
    now = systemClock,
    monotonic = () => performance.now(),
    onJump = () => undefined,
  }: Parts = {}) {
    this.#now = now;
    this.#monotonic = monotonic;
    this.#onJump = onJump;
    this.#since = monotonic();
    this.#offset = now() - this.#since;
  }

  status(): ClockStatus {
    const monotonic = this.#monotonic();
    const at = this.#now();
    const ms = Math.round(at - monotonic - this.#offset);
    if (Math.abs(ms) > HOUR_MS) {
      this.#offset = at - monotonic;
      this.#since = monotonic;
      this.#jump = { at, ms };
      log.warn(
        { minutes: Math.round(ms / 60_000) },
        "the clock jumped: nothing is deleted for a day",
      );
      this.#onJump(this.#jump);
    }
    return { steady: monotonic - this.#since >= DAY_MS, jump: this.#jump };
  }

  /** For the next process. */
  agreement(): ClockAgreement {
    this.status();
    return { at: this.#now(), ms: this.#monotonic() - this.#since };
  }

  /** Continues the day of watching that an earlier process began. */
  continueFrom(earlier: ClockAgreement): void {
    if (!isContinued(earlier, this.#now())) return;
    this.#since = Math.min(this.#since, this.#monotonic() - earlier.ms);
  }
}
