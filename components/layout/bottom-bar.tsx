import { ApplyCell } from "#components/layout/apply-cell.tsx";
import { MessageIcon, PencilIcon } from "#components/ui/form-icons.tsx";
import { PhoneIcon } from "#components/ui/page-icons.tsx";
import { smsTemplate } from "#lib/content/business.ts";
import { frame } from "#lib/content/layout.ts";
import { smsHref, telHref } from "#lib/content/links.ts";

const CELL =
  "flex min-h-13 flex-wrap items-center justify-center gap-x-2 rounded-m px-1 font-[650] text-[1.0625rem] leading-[1.3] transition-colors duration-colour";
const DARK = `${CELL} bg-asphalt-700 text-white active:bg-asphalt-600`;
const ICON = { "aria-hidden": true, className: "size-5 shrink-0", strokeWidth: 1.9 } as const;

/** Call, text and apply within the thumb's reach, on phones only. */
export function BottomBar({ phone }: { phone: string }) {
  return (
    <nav
      aria-label={frame.bottom.label}
      className="bottom-bar on-dark fixed inset-x-0 bottom-0 z-30 grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_minmax(0,1.55fr)] gap-2 bg-asphalt-900 px-3 pt-2 pb-[calc(0.5rem+env(safe-area-inset-bottom))] md:hidden print:hidden"
    >
      <a href={telHref(phone)} className={DARK}>
        <PhoneIcon {...ICON} />
        {frame.bottom.call}
      </a>
      <a href={smsHref(phone, smsTemplate)} className={DARK}>
        <MessageIcon {...ICON} />
        {frame.bottom.sms}
      </a>
      <ApplyCell
        className={`${CELL} bg-lane-500 text-asphalt-900 active:bg-lane-400`}
        icon={<PencilIcon {...ICON} />}
        apply={frame.bottom.apply}
        toForm={frame.bottom.toForm}
      />
    </nav>
  );
}
