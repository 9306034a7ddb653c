import type { Config } from "#lib/config.ts";
import {
  INSTRUCTOR_PHOTO_PATH,
  PHOTO_CACHE_CONTROL,
  readInstructorPhoto,
} from "#lib/instructor-photo.ts";
import { CachedResponse } from "#server/cached-response.ts";
import type { RequestRoute } from "#server/route-requests.ts";

export function instructorPhotoRoute(settings: Config): RequestRoute {
  const photo = readInstructorPhoto(settings);
  if (typeof photo !== "object") return () => undefined;
  const headers = { "content-type": photo.type, "cache-control": PHOTO_CACHE_CONTROL };
  const response = new CachedResponse({ body: photo.body, headers });
  return (path) => (path === INSTRUCTOR_PHOTO_PATH ? response : undefined);
}
