import { formatApplicationId } from "#lib/application/application-id.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { seoulIso } from "#lib/application/seoul-time.ts";
import type { FollowedApplication } from "#lib/storage/queries/owner.ts";

const isoOrNull = (time: number | undefined) => (time === undefined ? null : seoulIso(time));

/** An application for a program: codes, E.164, ISO times. */
export function forMachines(followed: FollowedApplication) {
  const { applicationId, application, submittedAt, nextAt, settledAt, earlierToday } = followed;
  return {
    number: formatApplicationId(applicationId),
    route: followed.route,
    submittedAt: seoulIso(submittedAt),
    ...application,
    phoneAsRead: formatPhone(application.phone),
    suspicion: followed.suspicion ?? null,
    corrects: followed.corrects ? formatApplicationId(followed.corrects) : null,
    earlierToday: earlierToday ? formatApplicationId(earlierToday.applicationId) : null,
    state: followed.state,
    carrier: followed.carrier ?? null,
    failedTries: followed.tries,
    repeats: followed.repeats ?? 0,
    lastError: followed.lastError ?? null,
    lastAdvice: followed.lastAdvice ?? null,
    nextTryAt: isoOrNull(followed.state === "open" ? nextAt : undefined),
    settledAt: isoOrNull(settledAt),
  };
}
