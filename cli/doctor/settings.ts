import { type Config, ConfigError, parseConfig } from "#lib/config.ts";
import { type Finding, fault, ok } from "#lib/finding.ts";

/** The configuration, or a finding for each of its faults. */
export function examineSettings(env: Readonly<Record<string, string | undefined>>): {
  config: Config | undefined;
  findings: Finding[];
} {
  try {
    const config = parseConfig(env);
    return { config, findings: [ok("settings", "설정값의 형식이 모두 올바릅니다.")] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.faults.map((each) => {
      const [named = "", ...reason] = each.split(": ");
      // `SMS_TO.0` is the first number in it.
      const [setting] = named.split(".");
      const sentence = `설정 ${setting}이(가) 올바르지 않습니다(${reason.join(": ")}). .env.example의 설명을 보고 .env에서 고쳐 주세요.`;
      return fault("settings", sentence);
    });
    return { config: undefined, findings };
  }
}
