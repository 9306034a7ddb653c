/**
 * Requests paths until the test kills this process. The requests name a visitor's address, as those of a proxy do. In a
 * process of its own, the flood does not slow down the test.
 *   node testing/hostile/flood.ts http://localhost:3000 203.0.113.9 100 /path /other-path
 */
import { Agent, request } from "node:http";

const [url = "", visitor = "", connections = "", ...paths] = process.argv.slice(2);
const { port } = new URL(url);
const host = "127.0.0.1";

for (const path of paths) {
  // A path that ends in `?`, `&` or `/` gets a number at its end, so that no two requests are the same.
  const isOpen = /[?&/]$/.test(path);
  const agent = new Agent({ keepAlive: true, maxSockets: Number(connections) });
  let asked = 0;
  const ask = () => {
    asked += 1;
    const headers = {
      cookie: `form-result=${asked}`,
      host: `localhost:${port}`,
      "x-forwarded-for": visitor,
    };
    const outgoing = request({
      agent,
      host,
      port,
      headers,
      path: path + (isOpen ? asked : ""),
    });
    outgoing.on("response", (answer) => answer.resume().on("end", ask));
    outgoing.on("error", () => setTimeout(ask, 10)).end();
  };
  for (let connection = 0; connection < Number(connections); connection++) ask();
}
