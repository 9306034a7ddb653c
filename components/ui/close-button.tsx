import { XIcon } from "#components/ui/icons.tsx";
import { applicationFormTexts } from "#lib/content/application-form.ts";

export function CloseButton({ onClick, className }: { onClick: () => void; className: string }) {
  return (
    <button
      type="button"
      aria-label={applicationFormTexts.close}
      onClick={onClick}
      className={`grid size-11 shrink-0 place-items-center rounded-m ${className}`}
    >
      <XIcon />
    </button>
  );
}
