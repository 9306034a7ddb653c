/** For development. In production server/instructor-photo-route.ts answers first. */
import { config } from "#lib/config.ts";
import { readInstructorPhoto } from "#lib/instructor-photo.ts";

export const dynamic = "force-dynamic";

export function GET(): Response {
  const photo = readInstructorPhoto(config());
  if (typeof photo !== "object") return new Response(null, { status: 404 });
  return new Response(photo.body, { headers: { "content-type": photo.type } });
}
