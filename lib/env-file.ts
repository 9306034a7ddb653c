import { isUtf8 } from "node:buffer";

/** A fault keeps the site from starting. */
export interface EnvFile {
  values: Record<string, string>;
  faults: string[];
  warnings: string[];
}

const SETTING = /^\s*(?:export\s+)?(?<name>[A-Za-z_][\w.-]*)\s*=(?<text>.*)$/;
/** Only a comment may follow a value in quotes. */
const QUOTED = /^\s*(?<quote>["'`])(?<value>.*?)\k<quote>\s*(?:#.*)?$/;
/** Invisible characters (controls, marks, zero width), and the replacement for an invalid byte. */
const UNFIT = /[^\P{C}\t\u200d]|[\u2028\u2029\ufffd]/u;

const ENCODING_FAULT =
  "UTF-8이 아니어서 읽을 수 없습니다. 편집기의 '다른 이름으로 저장'에서 인코딩을 UTF-8로 골라 다시 저장해 주세요.";

export function parseEnvFile(bytes: Uint8Array): EnvFile {
  const file: EnvFile = { values: {}, faults: [], warnings: [] };
  // Latin-1 keeps every byte, so that each line can be checked for UTF-8. The byte-order mark is dropped.
  const text = Buffer.from(bytes)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "");
  const lines = text.split(/\r\n|\n|\r/).map((line) => Buffer.from(line, "latin1"));
  const unreadable = lines.findIndex((line) => !isUtf8(line) || line.includes(0));
  if (unreadable >= 0) return { ...file, faults: [`${lineName(unreadable)}: ${ENCODING_FAULT}`] };
  for (const [index, line] of lines.map(String).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const { value = "", name, fault, isCut } = parseLine(line);
    if (fault) file.faults.push(`${lineName(index)}: ${fault}`);
    if (isCut) {
      file.warnings.push(
        `${lineName(index)}: ${name} 값에서 #부터 뒤는 설명으로 보고 쓰지 않습니다. 값의 일부라면 값 전체를 작은따옴표(')로 감싸 주세요.`,
      );
    }
    if (!name || !value) continue;
    const earlier = file.values[name];
    if (earlier !== undefined && earlier !== value) {
      file.warnings.push(`${lineName(index)}: ${name} 설정이 두 번 있어서 뒤의 값을 씁니다.`);
    }
    file.values[name] = value;
  }
  return file;
}

const lineName = (index: number) => `.env ${index + 1}번째 줄`;

/** Undefined for a value without invisible or broken characters. */
export function describeUnfitCharacter(text: string): string | undefined {
  const unfit = UNFIT.exec(text)?.[0].codePointAt(0);
  if (unfit === undefined) return undefined;
  const code = unfit.toString(16).toUpperCase().padStart(4, "0");
  return `보이지 않거나 깨진 글자(U+${code})가 있습니다. 새로 적고 UTF-8로 저장해 주세요.`;
}

/** No fault quotes the value, because it may be a secret. */
function parseLine(line: string) {
  const unfit = describeUnfitCharacter(line);
  if (unfit !== undefined) return { fault: unfit };
  const { name, text = "" } = SETTING.exec(line)?.groups ?? {};
  if (name === undefined) return { fault: "이름=값 꼴이 아니어서 읽을 수 없습니다." };
  const quoted = QUOTED.exec(text)?.groups?.value;
  if (quoted !== undefined) return { name, value: quoted };
  if (/^\s*["'`]/.test(text)) {
    return {
      fault: `${name} 값의 따옴표가 이 줄에서 닫히지 않거나, 닫힌 뒤에 글자가 더 있습니다.`,
    };
  }
  const comment = text.search(/\s#/);
  if (comment < 0) return { name, value: text.trim() };
  return { name, value: text.slice(0, comment).trim(), isCut: true };
}
