const START_LIMIT_MS = 120_000;

/** A server that speaks the W3C's WebDriver. */
export class WebDriver {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  async isUp(): Promise<void> {
    const deadline = Date.now() + START_LIMIT_MS;
    while (!(await fetch(`${this.#url}/status`).catch(() => undefined))) {
      if (Date.now() > deadline) throw new Error("The WebDriver server does not answer");
      await new Promise((end) => setTimeout(end, 50));
    }
  }

  /** @throws Error with what the server said. */
  async ask<Result>(method: "GET" | "POST" | "DELETE", path: string, body?: object) {
    const answer = await fetch(this.#url + path, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: Result };
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }
}
