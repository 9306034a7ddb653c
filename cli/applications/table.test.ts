import stringWidth from "string-width";
import { expect, test } from "vitest";
import { formatTable } from "#cli/applications/table.ts";
import { HOSTILE_MESSAGES, HOSTILE_VALUES } from "#testing/hostile/values.ts";

/** Characters that are invisible, move the cursor or reverse the text. */
const UNSAFE_CHARACTER_PATTERN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u115f\u1160\u180e\u200b\u200c\u2060-\u2064\u3164\ufeff\uffa0\u{e0000}-\u{e0fff}]|\u034f/u;

const HOSTILE = [...Object.values(HOSTILE_VALUES).flat(), ...HOSTILE_MESSAGES];
test("every hostile text reaches the terminal as plain text on one line", () => {
  for (const value of HOSTILE)
    expect(formatTable([[value]]).join("\n"), JSON.stringify(value)).not.toMatch(
      UNSAFE_CHARACTER_PATTERN,
    );
});

test("columns of wide and narrow characters are aligned", () => {
  const lines = formatTable([
    ["접수번호", "이름", "상태"],
    ["7K3M-PQ9X", "홍길동", "대기"],
    ["A", "👨‍👩‍👧 Kim", "전달됨"],
  ]);
  const starts = ["상태", "대기", "전달됨"].map((last, index) => lines[index]?.indexOf(last));
  const columns = lines.map((line, index) => stringWidth(line.slice(0, starts[index])));
  expect(new Set(columns).size).toBe(1);
});

test("a table of 200,000 rows can be printed", () => {
  expect(formatTable(Array(200_000).fill([""]))).toHaveLength(200_000);
});
