import { NavLink } from "#components/layout/nav-link.tsx";
import { MessageIcon, PencilIcon, PhoneIcon } from "#components/ui/icons.tsx";
import { config } from "#lib/config.ts";
import { siteLayoutTexts } from "#lib/content/layout.ts";
import { FORM_ID, FORM_PAGE_PATH, formHref, smsHref, telHref } from "#lib/content/links.ts";

export function BottomBar() {
  const { inquiryPhone } = config();
  const { label, call, sms, apply, toForm } = siteLayoutTexts.bottom;
  return (
    <nav aria-label={label} className="bottom-bar on-dark md:hidden">
      <a href={telHref(inquiryPhone)} className="bar-cell">
        <PhoneIcon />
        {call}
      </a>
      <a href={smsHref(inquiryPhone)} className="bar-cell">
        <MessageIcon />
        {sms}
      </a>
      <NavLink
        path={FORM_PAGE_PATH}
        href={formHref}
        hrefHere={`#${FORM_ID}`}
        className="bar-cell group bg-lane-500 text-asphalt-900 active:bg-lane-400"
      >
        <PencilIcon />
        <span className="group-current:hidden">{apply}</span>
        <span className="hidden group-current:inline">{toForm}</span>
      </NavLink>
    </nav>
  );
}
