import { once } from "node:events";
import { createServer } from "node:net";

// The range is below the ephemeral ports, so that no outgoing connection takes the port before the server.
const [FIRST, COUNT] = [20_000, 12_000] as const;

export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") continue;
      throw error;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
