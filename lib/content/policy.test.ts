import { describe, expect, it } from "vitest";
import { knownSections } from "#lib/content/policy.ts";
import { policySections } from "#lib/content/privacy.ts";

const nothing = { places: {}, holds: {} };

describe("knownSections", () => {
  const sections = [
    { heading: "처리하는 곳", lines: [{ text: "{name}" }, { text: "{owner}" }] },
    { heading: "보호", lines: [{ text: "암호화합니다.", when: "https" }] },
  ] as const;

  it("fills in what is configured and leaves out a line whose fact is not", () => {
    const known = knownSections(sections, { ...nothing, places: { name: "차근차근" } });
    expect(known).toEqual([{ heading: "처리하는 곳", intro: [], lines: [{ text: "차근차근" }] }]);
  });

  it("leaves out a section of which nothing is known", () => {
    expect(knownSections(sections, nothing)).toEqual([]);
  });

  it("speaks of encryption only where it is so", () => {
    const known = knownSections(sections, { places: {}, holds: { https: true } });
    expect(known.map((section) => section.heading)).toEqual(["보호"]);
  });
});

describe("the policy", () => {
  const places = { name: "차근차근", phone: "010-0000-0000", days: 90, keptDays: 7 };

  function textOf(facts: Parameters<typeof knownSections>[1]): string {
    return JSON.stringify(knownSections(policySections, facts));
  }

  it("claims an encrypted connection only when the site has one", () => {
    expect(textOf({ places, holds: {} })).not.toContain("암호화된 연결");
    expect(textOf({ places, holds: { https: true } })).toContain("암호화된 연결");
  });

  it("names neither an owner nor a mail address that is not configured", () => {
    const text = textOf({ places, holds: { https: true } });
    expect(text).not.toMatch(/\{\w+\}/);
    expect(text).not.toContain('보호책임자"');
    expect(text).not.toContain("대표");
    expect(text).not.toContain("상호");
  });
});
