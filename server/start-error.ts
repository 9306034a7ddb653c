/** The reason why the site does not start, in a sentence that says what to do. */
export class StartError extends Error {
  override name = "StartError";
}
