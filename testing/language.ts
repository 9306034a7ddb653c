/** Finds unclear test titles and lists the exported names. CONTRIBUTING.md has the rules. */

const LONGEST_TITLE = 80;
const TITLE_WITHOUT_SUBJECT =
  /^(what|that|who|whose|whoever|whatever|of|in|at|with|by|where|whether|as)\b/i;
const TITLES =
  /(?:^|\s)(?:test|it)(?:\.[a-z]+)*(?:\([^)]*\))?\(\s*(["'`])((?:(?!\1)[^\\]|\\.)+)\1/g;

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
