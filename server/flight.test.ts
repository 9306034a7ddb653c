import { expect, test } from "vitest";
import { takeFlight } from "#server/flight.ts";

const OPENING = `<script>(self.__next_f=self.__next_f||[]).push([0])</script>`;
const BOOT = `<script id="_R_">boot()</script>`;
/** As React writes them: JSON, with no `<` in it. */
const piece = (text: string) =>
  `<script>self.__next_f.push([1,${JSON.stringify(text).replaceAll("<", "\\u003c")}])</script>`;

test("the data is the very text, whatever is in it, and the page is without it", () => {
  const texts = [
    `0:["$","p",null,{"children":"차근차근 \\"하나\\""}]\n`,
    `1:"it's </script><!-- \\ \\n \u2028 \u2029 \r\t $& $1 😀"\n`,
    `2:T3,a'b`,
  ];
  const html = `<body><p>$&</p>${BOOT}${OPENING}${texts.map(piece).join("")}</body>`;
  const { bare, flight } = takeFlight(html) ?? {};
  expect(bare).toBe("<body><p>$&</p></body>");
  expect(flight?.body.toString()).toBe(texts.join(""));
  expect(flight?.boot).toBe("boot()");
});

test("the address changes with the data, and with nothing else", () => {
  const pathOf = (html: string) => takeFlight(html)?.flight.path;
  const one = pathOf(BOOT + OPENING + piece("0:1"));
  expect(one).toMatch(/^\/_next\/static\/flight\/[\w-]{22}\.txt$/);
  expect(pathOf(`<p>${BOOT}${OPENING}${piece("0:")}${piece("1")}`)).toBe(one);
  expect(pathOf(BOOT + OPENING + piece("0:2"))).not.toBe(one);
});

test("flight data in another form is left where it is", () => {
  for (const html of [
    `${BOOT}${OPENING}<script>self.__next_f.push([3,"AAAA"])</script>`,
    `${OPENING}${piece("0:1")}`,
    `${BOOT}${piece("0:1")}`,
    "<p>하나</p>",
  ]) {
    expect(takeFlight(html)).toBe(undefined);
  }
});
