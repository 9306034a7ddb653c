/**
 * The application number: 8 characters without look-alikes (no 0 O 1 I L U),
 * stored bare (`7K3MPQ9X`), shown in two groups (`7K3M-PQ9X`).
 */
export const APPLICATION_ID_ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
export const APPLICATION_ID_LENGTH = 8;

/** Numbers in a text, as people see them. */
export const APPLICATION_NUMBER = new RegExp(
  `[${APPLICATION_ID_ALPHABET}]{4}-[${APPLICATION_ID_ALPHABET}]{4}`,
  "g",
);

const PATTERN = new RegExp(`^[${APPLICATION_ID_ALPHABET}]{${APPLICATION_ID_LENGTH}}$`);

export function isApplicationId(value: string): boolean {
  return PATTERN.test(value);
}

/** `7K3MPQ9X` → `7K3M-PQ9X`. */
export function formatApplicationId(applicationId: string): string {
  return `${applicationId.slice(0, 4)}-${applicationId.slice(4)}`;
}

/** What a person typed (`7k3m pq9x`, `7K3M-PQ9X`) → `7K3MPQ9X`, or undefined when it is no number. */
export function parseApplicationId(typed: string): string | undefined {
  const bare = typed.toUpperCase().replace(/[\s-]/g, "");
  return isApplicationId(bare) ? bare : undefined;
}
