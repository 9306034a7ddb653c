/** The states of a delivery, and which may follow which. */

/**
 * `waiting`: to be sent at its time. `leased`: a worker has it. `sent`: a provider took it, and is asked
 * what became of it. `refused`: every channel refused it. `unknown`: it may have gone out; the provider
 * is asked before it is sent again. `filed`: written as a file while no channel was configured; goes out once
 * one is. `delivered`: the owner has it. `needs-owner`: given up after five days, kept and listed.
 */
export const DELIVERY_STATES = [
  "waiting",
  "leased",
  "sent",
  "refused",
  "unknown",
  "filed",
  "delivered",
  "needs-owner",
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * From each state, the states that can follow it. A lease that runs out is taken over: `leased` → `leased`.
 * Only a person moves a delivery out of its last states, `delivered` and `needs-owner`: see queries/resend.ts.
 */
export const TRANSITIONS: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  waiting: ["leased"],
  leased: ["leased", "waiting", "sent", "refused", "unknown", "filed", "delivered", "needs-owner"],
  sent: ["leased"],
  refused: ["leased"],
  unknown: ["leased"],
  filed: ["waiting"],
  delivered: ["waiting"],
  "needs-owner": ["waiting"],
};

/** States in which a delivery is leased when its time has come. */
export const DUE_STATES = DELIVERY_STATES.filter(
  (state) => state !== "leased" && TRANSITIONS[state].includes("leased"),
);

/**
 * What is known of one recipient's message. `sending`: recorded before the request leaves; if the process dies
 * then, the message counts as `unknown`. `unsent`: did not go out, and may yet. The others as above.
 */
export const MESSAGE_STATES = [
  "sending",
  "unsent",
  "unknown",
  "sent",
  "delivered",
  "refused",
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];
