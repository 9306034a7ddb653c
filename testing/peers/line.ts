import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A line to the server which, once cut, carries nothing and never says so: a cable, or a firewall's lost memory. */
export async function lineTo(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let cut = false;
  const relay = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("data", (data) => to.write(data));
      from.on("close", () => to.destroy());
      if (cut) from.pause();
    }
  });
  await once(relay.listen(0, "127.0.0.1"), "listening");
  const address = relay.address();
  const through = new URL(url);
  through.port = String(typeof address === "object" ? address?.port : undefined);
  return {
    url: through.href,
    cut: () => {
      cut = true;
      for (const socket of sockets) socket.pause();
    },
    /** For connections that begin from now on. */
    mend: () => {
      cut = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => relay.close(resolve));
    },
  };
}
