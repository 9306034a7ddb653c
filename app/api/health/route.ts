import { currentHealth, httpStatusOf } from "#lib/health.ts";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** For monitors: 200 while applications are taken and delivered, otherwise 503 and what to do. */
export async function GET(): Promise<Response> {
  const health = await currentHealth();
  return Response.json(health, {
    status: httpStatusOf(health),
    headers: { "Cache-Control": "no-store" },
  });
}
