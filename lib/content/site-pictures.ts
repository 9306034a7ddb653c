import { galleryScenes } from "#lib/content/gallery-page.ts";
import { closingSection, hero } from "#lib/content/home-page.ts";
import { otherInstructors } from "#lib/content/instructor.ts";
import type { Picture } from "#lib/content/picture.ts";
import { offers } from "#lib/content/prices.ts";

/** All pictures of lib/content but the placeholder. The setting INSTRUCTOR_PHOTO may name one more. */
export const sitePictures: readonly Picture[] = [
  hero.picture,
  hero.phonePicture,
  closingSection.picture,
  ...galleryScenes,
  ...offers.map(({ picture }) => picture),
  ...otherInstructors.flatMap(({ photo }) => photo ?? []),
];
