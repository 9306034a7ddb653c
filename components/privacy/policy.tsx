import { Copy } from "#components/ui/copy.tsx";
import { telHref } from "#lib/content/links.ts";
import type { PolicyLine, PolicySection } from "#lib/content/policy.ts";

/** The sections of the policy, as lib/content/policy.ts leaves them. */
export function Policy({ sections }: { sections: readonly PolicySection[] }) {
  return sections.map((section) => (
    <section key={section.heading} className="mt-10 lg:mt-12">
      <h2 className="type-h3 text-asphalt-900">{section.heading}</h2>
      {section.intro?.map((line) => (
        <p key={line.text} className="type-body mt-3">
          <Text line={line} />
        </p>
      ))}
      <Lines lines={section.lines ?? []} />
    </section>
  ));
}

/** Facts with their names as a description list, sentences as a plain one. */
function Lines({ lines }: { lines: readonly PolicyLine[] }) {
  if (lines.length === 0) return null;
  if (lines.some((line) => line.term !== undefined)) {
    return (
      <dl className="type-body mt-4 border-asphalt-300 border-t">
        {lines.map((line) => (
          <div
            key={line.term}
            className="border-asphalt-300 border-b py-2.5 sm:grid sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-x-4"
          >
            <dt className="text-asphalt-600">{line.term}</dt>
            <dd className="text-asphalt-900 tabular">
              <Text line={line} />
            </dd>
          </div>
        ))}
      </dl>
    );
  }
  return (
    <ul className="type-body mt-3 flex list-disc flex-col gap-2 pl-5 marker:text-asphalt-450">
      {lines.map((line) => (
        <li key={line.text}>
          <Text line={line} />
        </li>
      ))}
    </ul>
  );
}

function Text({ line: { text, link } }: { line: PolicyLine }) {
  if (!link) return <Copy text={text} />;
  return (
    <a
      href={link === "call" ? telHref(text) : `mailto:${text}`}
      className="font-semibold text-sign-800 underline decoration-[1.5px] underline-offset-4 hover:decoration-[2.5px]"
    >
      {text}
    </a>
  );
}
