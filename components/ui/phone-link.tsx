import { PhoneIcon } from "#components/ui/icons.tsx";
import { telHref } from "#lib/content/links.ts";

export function PhoneLink({ label, phone }: { label: string; phone: string }) {
  return (
    <a href={telHref(phone)} className="text-link tabular wrap-anywhere">
      <PhoneIcon />
      <span className="text-link-line">
        {label} <span className="inline-block">{phone}</span>
      </span>
    </a>
  );
}
