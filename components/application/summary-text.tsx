/** The summary of an application; where it does not fit on a line, it breaks after a slash. */
export function SummaryText({ summary }: { summary: string }) {
  let at = 0;
  return summary.split(/(?<=\/)/).map((part) => {
    at += part.length;
    return (
      <span key={at} className="inline-block">
        {part}
      </span>
    );
  });
}
