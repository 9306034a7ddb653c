import fc from "fast-check";

/** Any characters at all, unassigned ones too. fast-check's own unit `binary` needs seconds to begin. */
export const anyText = (limits: { minLength?: number; maxLength: number }) =>
  fc.string({ ...limits, unit: anyCharacter });

const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0xac00, max: 0xd7a3 }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((codePoint) => String.fromCodePoint(codePoint));
