import { expect, test } from "vitest";
import { defangLinks } from "#lib/channels/defang-links.ts";

test.each([
  ["http://x.kr", "http x kr"],
  ["HTTPS://evil.example.com/a?b=c", "HTTPS evil example com/a?b=c"],
  ["34tel://01012341234", "34tel 01012341234"],
  ["://x.kr", " x kr"],
  ["me@x.kr", "me@x kr"],
  ["카페.한국", "카페 한국"],
  ["x。kr x．kr", "x kr x kr"],
  ["192.168.0.1/login", "192 168 0 1/login"],
])("the text %s is rewritten so that no phone makes a link of it", (typed, shown) => {
  expect(defangLinks(typed)).toBe(shown);
});

const HARMLESS = ["2026.12.1 10.5시간", "네. 감사합니다.", "3.5톤 3.14", "오전 9:30, 02.345.6789"];
test.each(HARMLESS)("the text %s, which has no link, is unchanged", (typed) => {
  expect(defangLinks(typed)).toBe(typed);
});
