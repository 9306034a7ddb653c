import type { Page } from "@playwright/test";

export const TRANSLATION_MARK = "≈";

/**
 * Translates the page and its later text as Chrome, Edge and Samsung Internet do: a `<font>` with a new text node
 * replaces each text node.
 */
export async function translate(page: Page): Promise<void> {
  await page.evaluate((mark) => {
    const translateIn = (root: Node) => {
      const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const found: Node[] = root instanceof Text ? [root] : [];
      while (texts.nextNode()) found.push(texts.currentNode);
      for (const text of found) {
        const parent = text.parentElement;
        if (!text.nodeValue?.trim() || !parent || parent.closest("font, script, style, textarea"))
          continue;
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = mark + text.nodeValue;
        outer.append(inner);
        parent.replaceChild(outer, text);
      }
    };
    translateIn(document.body);
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes)
        for (const node of addedNodes.length > 0 ? addedNodes : [target]) translateIn(node);
    }).observe(document.body, { childList: true, characterData: true, subtree: true });
  }, TRANSLATION_MARK);
}
