/** A command could not do what it should; the message says why and what to do. */
export class CommandFault extends Error {
  override name = "CommandFault";
}
