import { Copy } from "#components/ui/copy.tsx";

/** The head of a page other than the home page. */
export function PageHead({ title, lead }: { title: string; lead: string }) {
  return (
    <header>
      <h1 className="type-h1 text-asphalt-900">
        <Copy text={title} />
      </h1>
      <p className="type-lead mt-3 text-asphalt-600 lg:mt-4">
        <Copy text={lead} />
      </p>
    </header>
  );
}
