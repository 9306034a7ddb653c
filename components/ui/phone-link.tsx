import { PhoneIcon } from "#components/ui/icons.tsx";
import { telHref } from "#lib/content/links.ts";
import { notFoundCopy } from "#lib/content/not-found.ts";

export function PhoneLink({ phone }: { phone: string }) {
  return (
    <a href={telHref(phone)} className="text-link tabular wrap-anywhere">
      <PhoneIcon />
      <span className="text-link-line">
        {notFoundCopy.call} <span className="inline-block">{phone}</span>
      </span>
    </a>
  );
}
