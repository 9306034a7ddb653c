/** The process, its pages and its limits. */
import type { Breakage } from "#testing/mutants/breakage.ts";

export const SITE: Breakage[] = [
  {
    breaks: "26: waiting for requests and sends",
    file: "server/shutdown.ts",
    from: "  await Promise.race([finished, pause(graceMs, undefined, { ref: false })]);\n",
    to: "",
  },
  {
    breaks: "27, 58: a connection on which nothing moves is closed",
    file: "server/http.ts",
    from: "  if (!dev) server.timeout = SILENCE_MS;\n",
    to: "",
  },
  {
    breaks: "39: a form without JavaScript is led to its page",
    file: "lib/intake/receive.ts",
    from: 'if (encodingOf(request.headers) !== "form") return jsonResponse(result);',
    to: "return jsonResponse(result);",
  },
  {
    breaks: "56: a second Host",
    file: "server/request-line.ts",
    from: "if (!HOST.test(host) || namesHostTwice(rawHeaders)) return undefined;",
    to: "if (!HOST.test(host)) return undefined;",
  },
  {
    breaks: "56: methods that no browser sends",
    file: "server/request-line.ts",
    from: 'if (!METHODS.has(request.method ?? "")) {',
    to: "if (false) {",
  },
  {
    breaks: "57: long values are cut",
    file: "lib/log.ts",
    from: "if (text.length <= LONGEST_TEXT) return text;",
    to: "return text;",
  },
  {
    breaks: "58: the limit of what Next makes",
    file: "server/limit-work.ts",
    from: "  if (ok) return next(request, response);",
    to: "  return next(request, response);",
  },
  {
    breaks: "58: the places of one address",
    file: "server/connections.ts",
    from: "if (ofAddress > perAddress) makeRoom(address);",
    to: "if (ofAddress < 0) makeRoom(address);",
  },
  {
    breaks: "60: scripts start without paint entries",
    file: "server/after-paint.ts",
    from: "if(document.hidden)return start();\naddEventListener",
    to: "return;addEventListener",
  },
  {
    breaks: "72: each picture is made once",
    file: "server/pictures.ts",
    from: "this.#pictures.get(address) ?? this.#makeNext(address)",
    to: "this.#makeNext(address)",
  },
  {
    breaks: "73: the pages have the settings of the running process",
    file: "app/layout.tsx",
    from: "  await connection();\n  const { inquiryPhone",
    to: "  const { inquiryPhone",
    tests: ["e2e/settings.spec.ts"],
  },
  {
    breaks: "74: the files of earlier builds are kept",
    file: "server/earlier-builds.ts",
    from: "    else earlier.push(name);\n",
    to: "",
  },
  {
    breaks: "no script that is not ours runs in a page",
    file: "server/policy.ts",
    from: '["script-src \'self\'", ...inlineScripts].join(" ")',
    to: "\"script-src 'self' 'unsafe-inline'\"",
  },
];
