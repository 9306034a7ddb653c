import { randomInt } from "node:crypto";
import { APPLICATION_ID_ALPHABET, APPLICATION_ID_LENGTH } from "#lib/application/application-id.ts";

/**
 * A new random application number, each character equally likely (30^8 ≈ 6.6 × 10^11 of them);
 * uniqueness is the database's to enforce.
 */
export function newApplicationId(): string {
  let id = "";
  while (id.length < APPLICATION_ID_LENGTH) {
    id += APPLICATION_ID_ALPHABET.charAt(randomInt(APPLICATION_ID_ALPHABET.length));
  }
  return id;
}
