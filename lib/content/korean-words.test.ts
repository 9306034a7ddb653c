import { expect, test } from "vitest";
import {
  withAndParticle,
  withMeansParticle,
  withObjectParticle,
  withSubjectParticle,
  withTopicParticle,
} from "#lib/content/korean-words.ts";

test.each([
  ["문자", "문자는 문자를 문자가 문자와 문자로"],
  ["메일", "메일은 메일을 메일이 메일과 메일로"],
  ["알림톡", "알림톡은 알림톡을 알림톡이 알림톡과 알림톡으로"],
])("the word %s gets the particles that its last syllable requires", (word, expected) => {
  const all = [
    withTopicParticle,
    withObjectParticle,
    withSubjectParticle,
    withAndParticle,
    withMeansParticle,
  ].map((particle) => particle(word));
  expect(all.join(" ")).toBe(expected);
});

test("a letter or a digit gets the particle of its spoken name", () => {
  const characters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"];
  const consonants = characters.filter((each) => withTopicParticle(each).endsWith("은"));
  expect(consonants.join("")).toBe("LMNR013678");
});
