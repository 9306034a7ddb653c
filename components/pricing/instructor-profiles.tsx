import { ButtonLink } from "#components/ui/button.tsx";
import { PhoneIcon } from "#components/ui/icons.tsx";
import { photoAttributes } from "#components/ui/photo.tsx";
import type { PhotoAttributes } from "#components/ui/photo-image.tsx";
import { TickList } from "#components/ui/tick-list.tsx";
import { config } from "#lib/config.ts";
import { type Instructor, instructorTexts, otherInstructors } from "#lib/content/instructor.ts";
import { telHref } from "#lib/content/links.ts";
import { nextSteps } from "#lib/content/next-steps.ts";
import { priceBlock } from "#lib/content/pricing-page.ts";

const PHOTO_SIZES = "(width < 48rem) 96px, 30rem";

interface InstructorProfileProps {
  /** The picture that the setting INSTRUCTOR_PHOTO names. */
  picture: { src: string } | undefined;
  className: string;
}

/** The profiles show only what the owner has stated. A business that names no instructor has none. */
export function InstructorProfiles({ picture, className }: InstructorProfileProps) {
  const configured = config();
  const { instructorName: name, academyRegistration } = configured;
  const facts = [
    academyRegistration && `${priceBlock.registration} ${academyRegistration}`,
    configured.factBrake,
    configured.factInstructors,
  ].filter((fact) => fact !== undefined);
  if (!name && otherInstructors.length === 0) return null;
  return (
    <section aria-label={instructorTexts.title} className={`instructors ${className}`}>
      {name && (
        <Person
          name={name}
          words={configured.instructorWords}
          facts={facts}
          picture={picture && { ...picture, alt: name }}
        />
      )}
      {otherInstructors.map(({ photo, ...person }) => (
        <Person
          key={person.name}
          {...person}
          picture={photo && photoAttributes(photo, PHOTO_SIZES)}
        />
      ))}
    </section>
  );
}

/** The size of a picture from the settings is unknown, so its frame has a shape of its own, and nothing moves. */
type PersonPicture = Pick<PhotoAttributes, "src" | "alt"> & Partial<PhotoAttributes>;

function Person({
  name,
  words,
  facts,
  picture,
}: Omit<Instructor, "photo"> & { picture: PersonPicture | undefined }) {
  const { inquiryPhone, callbackPromise } = config();
  return (
    <div className="instructor">
      {picture && (
        <span className="photo instructor-photo">
          <img
            {...picture}
            alt={picture.alt}
            loading="lazy"
            className="absolute inset-0 size-full"
          />
        </span>
      )}
      <div className="min-w-0">
        <h2 className="instructor-name">{name}</h2>
        {words && <p className="instructor-words">{words}</p>}
        <TickList facts={facts} className="instructor-facts" />
        <p className="type-small mt-4 max-w-[36rem] text-asphalt-600 md:mt-5">
          {nextSteps.contact} <span className="block">{callbackPromise}</span>
        </p>
        <ButtonLink
          href={telHref(inquiryPhone)}
          variant="outline"
          icon={PhoneIcon}
          className="mt-5 max-md:hidden"
        >
          {instructorTexts.call}
        </ButtonLink>
      </div>
    </div>
  );
}
