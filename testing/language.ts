/** Finds unclear comments, test titles and names. CONTRIBUTING.md has the rules. */

/** A comment that begins with one of these words has no subject: "Of the dialog.", "Under both panels." */
const WITHOUT_SUBJECT =
  /^(What|Whether|Whose|Whom|Who|Of|As|By|Since|Where|After|Also|At|Before|Behind|Below|Between|During|For|From|In|Into|Not|On|Over|To|Under|Until|While|With|Without)\b(?!-)/;
const LONGEST_TITLE = 80;
const TITLE_WITHOUT_SUBJECT =
  /^(what|that|who|whose|whoever|whatever|of|in|at|with|by|where|whether|as)\b/i;
const TITLES =
  /(?:^|\s)(?:test|it)(?:\.[a-z]+)*(?:\([^)]*\))?\(\s*(["'`])((?:(?!\1)[^\\]|\\.)+)\1/g;

export function commentsWithoutSubject(source: string): string[] {
  return firstLines(source).filter((sentence) => WITHOUT_SUBJECT.test(sentence));
}

function firstLines(source: string): string[] {
  const lines = source.split("\n");
  return lines.flatMap((line, index) => {
    if (!isStartOfComment(line, lines[index - 1] ?? "")) return [];
    const isOpening = /^\s*\/\*+\s*$/.test(line);
    const first = isOpening ? (lines[index + 1] ?? "").replace(/^\s*\*?/, "//") : line;
    return first.replace(/^\s*\{?(\/\*\*?|\/\/)\s?/, "").replace(/\s*\*\/\}?\s*$/, "");
  });
}

function isStartOfComment(line: string, before: string): boolean {
  if (/^\s*\{?\/\*/.test(line)) return true;
  return /^\s*\/\//.test(line) && !/^\s*\/\//.test(before);
}

export function unclearTitles(source: string): string[] {
  return [...source.matchAll(TITLES)]
    .map(([, , title = ""]) => title)
    .filter(
      (title) =>
        title.length > LONGEST_TITLE || title.includes(";") || TITLE_WITHOUT_SUBJECT.test(title),
    );
}

export function exportedNames(source: string): string[] {
  const declarations =
    /^export (?:async )?(?:function\*?|const|class|interface|type|enum) ([A-Za-z0-9_]+)/gm;
  return [...source.matchAll(declarations)].map(([, name = ""]) => name);
}
