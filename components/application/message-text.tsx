import { Fragment } from "react";

/**
 * A text message as it is sent, line by line; a line that does not fit breaks after a slash, and a name that
 * is too long for its line breaks into halves. What is copied from it (`textContent`) has the same lines.
 */
export function MessageText({ text }: { text: string }) {
  let at = 0;
  return text.split(/(?<=[\n/])/).map((part) => {
    at += part.length;
    return (
      <Fragment key={at}>
        <span className="inline-block text-balance break-all">{part.trimEnd()}</span>
        {part.endsWith("\n") && (
          <>
            {"\n"}
            <br />
          </>
        )}
      </Fragment>
    );
  });
}
