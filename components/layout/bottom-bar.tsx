import { ApplyCell } from "#components/layout/apply-cell.tsx";
import { MessageIcon, PencilIcon, PhoneIcon } from "#components/ui/icons.tsx";
import { siteChrome } from "#lib/content/layout.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

const DARK = "bar-cell bar-cell-dark";

/** Call, text and apply within the thumb's reach, on phones only. */
export function BottomBar({ phone }: { phone: string }) {
  return (
    <nav aria-label={siteChrome.bottom.label} className="bottom-bar on-dark md:hidden print:hidden">
      <a href={telHref(phone)} className={DARK}>
        <PhoneIcon />
        {siteChrome.bottom.call}
      </a>
      <a href={smsHref(phone)} className={DARK}>
        <MessageIcon />
        {siteChrome.bottom.sms}
      </a>
      <ApplyCell
        className={"bar-cell bg-lane-500 text-asphalt-900 active:bg-lane-400"}
        icon={<PencilIcon />}
        apply={siteChrome.bottom.apply}
        toForm={siteChrome.bottom.toForm}
      />
    </nav>
  );
}
