/** `#FFC629` → `rgb(255, 198, 41)`, as browsers report it. */
export const cssColour = (hex: string) =>
  `rgb(${[...Buffer.from(hex.slice(1), "hex")].join(", ")})`;
