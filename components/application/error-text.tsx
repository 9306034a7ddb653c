/** What is wrong with a field; what stands in brackets stays on one line. */
export function ErrorText({ text }: { text: string | undefined }) {
  const [before, example, after] = text?.split(/(\([^()]+\))/) ?? [];
  return (
    <>
      {before}
      {example && <span className="inline-block">{example}</span>}
      {after}
    </>
  );
}
