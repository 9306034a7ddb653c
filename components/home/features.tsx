import type { ReactNode } from "react";
import { SectionHead } from "#components/ui/headings.tsx";
import { CheckIcon } from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { FIELDS } from "#lib/application/fields.ts";
import { features, hero } from "#lib/content/home-page.ts";
import { prefilledFormHref } from "#lib/content/links.ts";

const { professional, area, times, personal, female } = features;

export function Features() {
  return (
    <section className="section-block">
      <div className="page-width">
        <SectionHead title={features.title} lead={features.lead} />
        <ul className="section-body two-columns grid gap-3 md:grid-cols-2 md:gap-5 lg:grid-cols-12">
          <Card {...professional} surface="lane" className="lg:col-span-5">
            <PageText as="p" className="plate" text={professional.plate} />
          </Card>
          <Card {...area} surface="sign" className="lg:col-span-7">
            <PageText as="p" className="place-sign" text={hero.regions} />
          </Card>
          <Card {...times} className="lg:col-span-5">
            <TimeTable />
          </Card>
          <Card {...personal} className="practice-card lg:col-span-3">
            <ul className="flex flex-wrap gap-2">
              {personal.practices.map(({ id, label }) => (
                <li key={id}>
                  <a href={prefilledFormHref({ wish: id })} className="practice-chip">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </Card>
          <Card {...female} className="md:col-span-full lg:col-span-4">
            <p className="text-bubble bg-sign-100 px-4.5 py-2.5 text-asphalt-700">
              {female.bubble}
            </p>
          </Card>
        </ul>
      </div>
    </section>
  );
}

const SURFACES = {
  white: { card: "border border-asphalt-300 bg-white text-asphalt-900", text: "text-asphalt-600" },
  lane: { card: "bg-lane-500 text-asphalt-900", text: "" },
  sign: { card: "bg-sign-800 text-white", text: "text-sign-100" },
} as const;

interface CardProps {
  title: string;
  text: string;
  surface?: keyof typeof SURFACES;
  className?: string;
  children: ReactNode;
}

function Card({ title, text, surface = "white", className = "", children }: CardProps) {
  const { card, text: textColour } = SURFACES[surface];
  return (
    <li className={`feature ${card} ${className}`}>
      <PageText as="h3" className="feature-title" text={title} />
      <PageText as="p" className={`feature-text ${textColour}`} text={text} />
      <div className="feature-proof">{children}</div>
    </li>
  );
}

/** A visitor can choose every time slot on every type of day. */
function TimeTable() {
  return (
    <table className="time-table">
      <caption className="sr-only">{times.caption}</caption>
      <thead>
        <tr>
          <th scope="col" className="w-[max(22%,2.25em)] lg:w-[15%]">
            <span className="sr-only">{times.day}</span>
          </th>
          {FIELDS.timeSlot.options.map(({ code, label }) => (
            <th key={code} scope="col" className="pb-1 font-semibold text-asphalt-600">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {FIELDS.dayType.options.map(({ code, label }) => (
          <tr key={code}>
            <th scope="row" className="whitespace-nowrap pt-2 text-left font-bold">
              {label}
            </th>
            {FIELDS.timeSlot.options.map((slot) => (
              <td key={slot.code} className="pt-2 pl-2">
                <span className="time-slot">
                  <CheckIcon />
                  <span className="sr-only">{times.possible}</span>
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
