import { hourStrip } from "#lib/content/home.ts";
import { COURSE_HOURS } from "#lib/content/prices.ts";

const HOURS = Array.from({ length: COURSE_HOURS }, (_, index) => index + 1);

/** The road of the picture goes on: one yellow dash for each hour of the course. */
export function HourStrip() {
  return (
    <section
      aria-labelledby="hours"
      className="bg-asphalt-900 py-6.5 text-white lg:flex lg:min-h-27 lg:items-center lg:py-5"
    >
      <div className="page-width grid grid-cols-1 gap-y-4.5 lg:grid-cols-[17.5rem_minmax(0,1fr)] lg:items-center lg:gap-x-18">
        <div>
          <h2 id="hours" className="font-bold text-lg leading-[1.4] tracking-sign lg:text-xl">
            {hourStrip.title}
          </h2>
          <p className="type-small text-asphalt-300">{hourStrip.text}</p>
        </div>
        <ol className="hours">
          {HOURS.map((hour) => (
            <li key={hour}>{hour}</li>
          ))}
        </ol>
      </div>
    </section>
  );
}
