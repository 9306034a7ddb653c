import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { packFlight } from "#server/flight.ts";

const OPENING = `<script>(self.__next_f=self.__next_f||[]).push([0])</script>`;
/** As React writes them: JSON, with no `<` in it. */
const piece = (text: string) =>
  `<script>self.__next_f.push([1,${JSON.stringify(text).replaceAll("<", "\\u003c")}])</script>`;

/** What is handed to React by the inline scripts of this HTML. */
function received(html: string): unknown {
  const self: Record<string, unknown> = {};
  for (const [, script = ""] of html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)) {
    runInNewContext(script, { self, boot: () => {} });
  }
  return JSON.parse(JSON.stringify(self.__next_f));
}

test("React is handed the very text, whatever is in it, by one script", () => {
  const texts = [
    `0:["$","p",null,{"children":"차근차근 \\"하나\\""}]\n`,
    `1:"it's </script><!-- \\ \\n \u2028 \u2029 \r\t $& $1 😀"\n`,
    `2:T3,a'b`,
  ];
  const html = `<body>${OPENING}${texts.map(piece).join("")}</body>`;
  const packed = packFlight(html);
  expect(received(packed)).toEqual([[0], [1, texts.join("")]]);
  expect(packed.match(/<script/g)).toHaveLength(1);
  expect(packed.length).toBeLessThan(html.length);
});

test("the script that boots Next is the same script, and runs first", () => {
  const packed = packFlight(`<script id="_R_">boot()</script>${OPENING}${piece("0:1")}<p>`);
  expect(packed).toBe(
    `<script id="_R_">boot();(self.__next_f=self.__next_f||[]).push([0]);self.__next_f.push([1,'0:1'])</script><p>`,
  );
});

test("flight data in another form is left as it is", () => {
  for (const html of [
    `${OPENING}<script>self.__next_f.push([3,"AAAA"])</script>`,
    `<script>self.__next_f.push([1,"0"])</script>`,
    "<p>하나</p>",
  ]) {
    expect(packFlight(html)).toBe(html);
  }
});
