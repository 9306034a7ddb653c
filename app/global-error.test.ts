import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import GlobalErrorPage from "#app/global-error.tsx";
import { failurePageTexts } from "#lib/content/error-pages.ts";

test("the page for a failed layout is Korean, with a button to try again", () => {
  const html = renderToStaticMarkup(createElement(GlobalErrorPage));
  expect(html).toMatch(/^<html lang="ko">/);
  expect(html).toMatch(new RegExp(`<button[^>]*>.*${failurePageTexts.again}`));
});
