import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { listeningPort } from "#testing/peers/listening-port.ts";

/** PgBouncer's default start-up parameters. https://www.pgbouncer.org/config.html */
const ACCEPTED_PARAMETERS = [
  ...["user", "database", "application_name", "client_encoding", "datestyle", "timezone"],
  "standard_conforming_strings",
];

/** A proxy whose connections, once cut, pass on no bytes and report no end, like a broken cable or a firewall. */
export async function openCuttableProxy(url: string) {
  let cut = false;
  const { sockets, ...proxy } = await startProxy(url, (client, connectServer) => {
    const server = connectServer();
    if (cut) for (const socket of [client, server]) socket.pause();
  });
  return {
    ...proxy,
    cut: () => {
      cut = true;
      for (const socket of sockets) socket.pause();
    },
    /** Lets later connections pass again. */
    heal: () => {
      cut = false;
    },
  };
}

/** A proxy that refuses unknown start-up parameters with 08P01, as PgBouncer does. */
export function openStrictPooler(url: string) {
  return startProxy(url, (client, connectServer) => {
    client.once("data", (start: Buffer) => {
      const refused = parameterNames(start).find(
        (name) => !ACCEPTED_PARAMETERS.includes(name.toLowerCase()),
      );
      if (refused === undefined) connectServer().write(start);
      else client.end(refusalMessage(refused));
    });
  });
}

/**
 * Starts a TCP proxy in front of the server. `onClient` gets each client's socket, and a function that connects it to
 * the server.
 */
async function startProxy(
  url: string,
  onClient: (client: Socket, connectServer: () => Socket) => void,
) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    sockets.add(client.on("error", () => undefined));
    onClient(client, () => {
      const server = connect(Number(port), hostname);
      sockets.add(server.on("error", () => undefined));
      for (const [from, to] of [
        [client, server],
        [server, client],
      ] as const) {
        from.on("data", (data) => to.write(data));
        from.on("close", () => to.destroy());
      }
      return server;
    });
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const through = new URL(url);
  through.port = `${listeningPort(proxy)}`;
  return {
    sockets,
    url: through.href,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/** The names in a start-up message. https://www.postgresql.org/docs/18/protocol-message-formats.html */
function parameterNames(message: Buffer): string[] {
  const texts = message.subarray(8).toString().split("\0");
  return texts.filter((text, index) => index % 2 === 0 && text !== "");
}

function refusalMessage(name: string): Buffer {
  const says = `SFATAL\0C08P01\0Munsupported startup parameter: ${name}\0\0`;
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(says.length + 4, 1);
  return Buffer.concat([head, Buffer.from(says)]);
}
