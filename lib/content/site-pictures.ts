import { galleryScenes } from "#lib/content/gallery-page.ts";
import { closingSection, hero } from "#lib/content/home-page.ts";
import { otherInstructors } from "#lib/content/instructor.ts";
import type { Picture } from "#lib/content/picture.ts";
import { offers } from "#lib/content/prices.ts";

/** All pictures of the pages, but not the one that the setting INSTRUCTOR_PHOTO names. */
export const sitePictures: readonly Picture[] = [
  hero.picture,
  hero.phonePicture,
  closingSection.picture,
  ...galleryScenes,
  ...offers.map(({ picture }) => picture),
  ...otherInstructors.flatMap(({ photo }) => photo ?? []),
];
