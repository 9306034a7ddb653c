import { PageText } from "#components/ui/page-text.tsx";
import { config } from "#lib/config.ts";
import { telHref } from "#lib/content/links.ts";
import type { PolicySection } from "#lib/content/policy.ts";

export function PrivacyPolicy({ sections }: { sections: readonly PolicySection[] }) {
  return sections.map(({ heading, intro, lines = [] }) => (
    <section key={heading} className="mt-10 lg:mt-12">
      <h2 className="type-h3 text-asphalt-900">{heading}</h2>
      {intro && <PageText as="p" className="type-body mt-3" text={intro} />}
      {lines[0]?.includes(" | ") ? <Facts lines={lines} /> : <Sentences lines={lines} />}
    </section>
  ));
}

function Facts({ lines }: { lines: readonly string[] }) {
  return (
    <dl className="type-body mt-4 border-asphalt-300 border-t">
      {lines.map((line) => {
        // Only the first bar separates the name from the fact: a fact from the settings may contain another one.
        const [name = "", ...fact] = line.split(" | ");
        return (
          <div
            key={name}
            className="border-asphalt-300 border-b py-2.5 sm:grid sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-x-4"
          >
            <dt className="text-asphalt-600">{name}</dt>
            <dd className="text-asphalt-900 tabular">
              <Fact text={fact.join(" | ")} />
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Sentences({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="type-body mt-3 flex list-disc flex-col gap-2 pl-5 marker:text-asphalt-450">
      {lines.map((line) => (
        <PageText key={line} as="li" text={line} />
      ))}
    </ul>
  );
}

function Fact({ text }: { text: string }) {
  const { inquiryPhone, businessEmail } = config();
  const href = { [inquiryPhone]: telHref(text), [businessEmail ?? ""]: `mailto:${text}` }[text];
  if (!href) return <PageText text={text} />;
  return (
    <a
      href={href}
      className="font-semibold text-sign-800 underline decoration-[1.5px] underline-offset-4 hover:decoration-[2.5px]"
    >
      {text}
    </a>
  );
}
