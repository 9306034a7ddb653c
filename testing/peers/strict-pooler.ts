import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** What PgBouncer takes when a connection begins, unless its settings name more. https://www.pgbouncer.org/config.html */
const TAKEN = [
  "user",
  "database",
  "application_name",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
];

/** A line to the server that begins as PgBouncer does: it refuses every other parameter with 08P01. */
export async function strictPooler(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const pooler = createServer((near) => {
    sockets.add(near.on("error", () => undefined));
    near.once("data", (start: Buffer) => {
      const refused = parametersOf(start).find((name) => !TAKEN.includes(name.toLowerCase()));
      if (refused !== undefined) {
        near.end(refusalOf(refused));
        return;
      }
      const far = connect(Number(port), hostname);
      sockets.add(far.on("error", () => undefined));
      far.write(start);
      near.pipe(far).pipe(near);
    });
  });
  await once(pooler.listen(0, "127.0.0.1"), "listening");
  const address = pooler.address();
  const through = new URL(url);
  through.port = String(typeof address === "object" ? address?.port : undefined);
  return {
    url: through.href,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => pooler.close(resolve));
    },
  };
}

/** The names in a start-up message. https://www.postgresql.org/docs/18/protocol-message-formats.html */
function parametersOf(message: Buffer): string[] {
  const texts = message.subarray(8).toString().split("\0");
  return texts.filter((text, index) => index % 2 === 0 && text !== "");
}

function refusalOf(name: string): Buffer {
  const says = `SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`;
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(says.length + 4, 1);
  return Buffer.concat([head, Buffer.from(says)]);
}
