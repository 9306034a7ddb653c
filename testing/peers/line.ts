/** Faulty connections to a PostgreSQL server. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { portOf } from "#testing/peers/port-of.ts";

/** PgBouncer's default start-up parameters. https://www.pgbouncer.org/config.html */
const TAKEN = [
  "user",
  "database",
  "application_name",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
];

/**
 * A connection that, once cut, carries nothing and reports nothing, like a broken cable or a firewall that forgot it.
 */
export async function openCuttableLine(url: string) {
  let cut = false;
  const { sockets, ...line } = await relay(url, (near, join) => {
    const far = join();
    if (cut) for (const socket of [near, far]) socket.pause();
  });
  return {
    ...line,
    cut: () => {
      cut = true;
      for (const socket of sockets) socket.pause();
    },
    /** Later connections work again. */
    mend: () => {
      cut = false;
    },
  };
}

/** A connection that begins like PgBouncer's: it refuses every other parameter with 08P01. */
export function openStrictPooler(url: string) {
  return relay(url, (near, join) => {
    near.once("data", (start: Buffer) => {
      const refused = parametersOf(start).find((name) => !TAKEN.includes(name.toLowerCase()));
      if (refused === undefined) join().write(start);
      else near.end(refusalOf(refused));
    });
  });
}

/**
 * Listens in front of the server at this address; `begin` gets each connection and a function that joins it to the
 * server.
 */
async function relay(url: string, begin: (near: Socket, join: () => Socket) => void) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    sockets.add(near.on("error", () => undefined));
    begin(near, () => {
      const far = connect(Number(port), hostname);
      sockets.add(far.on("error", () => undefined));
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        from.on("data", (data) => to.write(data));
        from.on("close", () => to.destroy());
      }
      return far;
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const through = new URL(url);
  through.port = `${portOf(server)}`;
  return {
    sockets,
    url: through.href,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
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
