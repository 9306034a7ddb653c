/** An application number as people see it, and no part of a phone number. */
const NUMBER = /(?<![\d-])[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}(?![\d-])/;

export const numberIn = (text: string | null) => {
  const number = NUMBER.exec(text ?? "")?.[0];
  if (!number) throw new Error(`no application number in: ${text}`);
  return number;
};
