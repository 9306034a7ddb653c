import { parseEnv } from "node:util";

export interface EnvFile {
  values: Record<string, string>;
  /** Faults keep the site from starting. Each names its line or the file, but no value, which may be a secret. */
  faults: string[];
}

const SETTING_LINE_PATTERN = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/;
/** A value in quotes from end to end, perhaps with a comment after it. */
const QUOTED_VALUE_PATTERN = /^(["'`])((?!\1).)*\1\s*(#.*)?$/;
/** Invisible characters (controls, marks, zero width), and the replacement for an invalid byte. */
const UNFIT_CHARACTER_PATTERN = /[^\P{C}\t\u200d]|[\u2028\u2029\ufffd]/u;

/** Korean: what is wrong with the characters of a value. Undefined if nothing is. */
export const unfitCharacterFault = (text: string) =>
  UNFIT_CHARACTER_PATTERN.test(text)
    ? "보이지 않거나 깨진 글자가 있습니다. 새로 적고 UTF-8로 저장해 주세요."
    : undefined;

/** Node's own parser reads the lines. A line that Compose or Docker would read in another way is a fault. */
export function parseEnvFile(bytes: Uint8Array): EnvFile {
  const file: EnvFile = { values: {}, faults: [] };
  const lines = new TextDecoder().decode(bytes).split(/\r\n|\n|\r/);
  for (const [index, line] of lines.entries()) {
    const unfit = unfitCharacterFault(line);
    const fault = unfit ?? lineFault(line, file.values);
    if (fault !== undefined) file.faults.push(`.env ${index + 1}번째 줄: ${fault}`);
    // One fault is enough: in another encoding every line with Hangul would have the same fault.
    if (unfit !== undefined) break;
    for (const [name, value] of Object.entries(parseEnv(line)))
      if (value) file.values[name] = value;
  }
  return file;
}

function lineFault(line: string, earlier: Readonly<Record<string, string>>): string | undefined {
  if (/^\s*(#|$)/.test(line)) return undefined;
  const [, name, text = ""] = SETTING_LINE_PATTERN.exec(line) ?? [];
  if (name === undefined) return "이름=값 꼴이 아니어서 읽을 수 없습니다.";
  if (name in earlier) return `${name} 설정이 두 번 있습니다. 한 줄만 남겨 주세요.`;
  if (/^["'`]/.test(text))
    return QUOTED_VALUE_PATTERN.test(text)
      ? undefined
      : `${name} 값의 따옴표가 이 줄에서 닫히지 않거나, 닫힌 뒤에 글자가 더 있습니다.`;
  return text.includes("#")
    ? `${name} 값에 #이 있습니다. 값의 일부라면 값 전체를 작은따옴표(')로 감싸고, 설명이라면 다른 줄로 옮겨 주세요.`
    : undefined;
}
