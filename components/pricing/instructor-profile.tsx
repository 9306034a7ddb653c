import { Photo } from "#components/ui/photo.tsx";
import { config } from "#lib/config.ts";
import { instructor, instructorCopy } from "#lib/content/instructor.ts";

/** The profile shows only facts that the owner has stated. Without such facts there is no profile. */
export function InstructorProfile() {
  const { academyRegistration, factInstructors, factBrake } = config();
  const { title, ...labels } = instructorCopy;
  const facts = [
    [labels.name, instructor.name],
    [labels.instructors, factInstructors],
    [labels.registration, academyRegistration],
    [labels.car, instructor.car],
    [labels.brake, factBrake],
  ].filter(([, fact]) => fact);
  if (facts.length === 0) return null;
  return (
    <section className="mb-10 rounded-xl border border-asphalt-300 bg-white md:mb-14 md:flex">
      {instructor.photo && (
        <Photo
          picture={instructor.photo}
          sizes="(width < 48rem) 100vw, 24rem"
          className="aspect-[4/3] rounded-t-xl md:aspect-auto md:w-1/3 md:rounded-l-xl md:rounded-tr-none"
        />
      )}
      <div className="p-6 md:grow md:p-9">
        <h2 className="type-h3 text-asphalt-900">{title}</h2>
        <dl className="type-body mt-3">
          {facts.map(([label, fact]) => (
            <div
              key={label}
              className="flex flex-wrap gap-x-4 border-asphalt-300 py-2 not-first:border-t"
            >
              <dt className="w-24 shrink-0 text-asphalt-600">{label}</dt>
              <dd className="min-w-0 flex-[1_1_10rem] font-strong text-asphalt-900">{fact}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  );
}
