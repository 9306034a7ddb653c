import { PageText } from "#components/ui/page-text.tsx";

export function PageHead({ title, lead }: { title: string; lead: string }) {
  return (
    <header>
      <PageText as="h1" className="type-h1 text-asphalt-900" text={title} />
      <PageText as="p" className="type-lead mt-3 text-asphalt-600 lg:mt-4" text={lead} />
    </header>
  );
}

export function SectionHead({ title, lead }: { title: string; lead: string }) {
  return (
    <div className="section-head">
      <PageText as="h2" className="type-h2" text={title} />
      <PageText as="p" className="type-lead" text={lead} />
    </div>
  );
}
