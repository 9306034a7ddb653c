/**
 * What React needs to take over a page (its flight data) comes after the markup, in some thirty scripts of
 * `self.__next_f.push([1,"…"])`. It is one text. As one script, together with the one that boots Next, it is
 * one hash in the policy; between single quotes its own quotes need no backslash, so that it repeats the
 * markup letter by letter and costs less when both are compressed.
 */

const PIECE = /<script>self\.__next_f\.push\(\[1,("(?:[^"\\]|\\.)*")\]\)<\/script>/g;
const OPENING = String.raw`\(self\.__next_f=self\.__next_f\|\|\[\]\)\.push\(\[0\]\)`;
const FLIGHT = new RegExp(
  `(?:(<script id="_R_">[^<]*)</script>)?<script>(${OPENING})</script>((?:${PIECE.source})+)`,
);

/** The page with its flight data in one script; as it was where it has none in the form that is known here. */
export function packFlight(html: string): string {
  return html.replace(FLIGHT, (_, boot: string | undefined, opening: string, pieces: string) => {
    const texts = [...pieces.matchAll(PIECE)].map(([, text = '""']) => String(JSON.parse(text)));
    const before = boot ? `${boot};` : "<script>";
    return `${before}${opening};self.__next_f.push([1,${singleQuoted(texts.join(""))}])</script>`;
  });
}

/** A text as a string of JavaScript that can stand in HTML. */
function singleQuoted(text: string): string {
  return `'${text
    .replaceAll("\\", "\\\\")
    .replaceAll("'", "\\'")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")
    .replaceAll("<", "\\u003c")}'`;
}
