/** The application number: 8 characters without 0, 1, I, L, O, U, stored as `7K3MPQ9X`, shown as `7K3M-PQ9X`. */
export const APPLICATION_ID_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
export const APPLICATION_ID_LENGTH = 8;

const APPLICATION_ID_PATTERN = new RegExp(
  `^[${APPLICATION_ID_ALPHABET}]{${APPLICATION_ID_LENGTH}}$`,
);

export const isApplicationId = (value: string) => APPLICATION_ID_PATTERN.test(value);

export const formatApplicationId = (applicationId: string) =>
  `${applicationId.slice(0, 4)}-${applicationId.slice(4)}`;

/** The number that a device shows until the server has the application. */
export const temporaryNumber = (keptAt: number) => `OFFLINE-${keptAt}`;

/** `7k3m pq9x` or `[7K3M-PQ9X]` → `7K3MPQ9X`; undefined for any other string. */
export function parseApplicationId(typed: string): string | undefined {
  const plain = typed.normalize("NFKC").toUpperCase();
  const bare = plain.replace(/[^\p{L}\p{N}]/gu, "");
  return isApplicationId(bare) ? bare : undefined;
}
