/** Why the site does not start, in a sentence that says what to do. */
export class StartFault extends Error {
  override name = "StartFault";
}
