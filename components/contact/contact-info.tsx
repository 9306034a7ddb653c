import type { ReactNode } from "react";
import { CopyPhoneButton } from "#components/ui/copy-button.tsx";
import {
  ArrowRightIcon,
  ClockIcon,
  type Icon,
  MapPinIcon,
  MessageIcon,
  NewTabIcon,
  PhoneIcon,
} from "#components/ui/icons.tsx";
import { PageText } from "#components/ui/page-text.tsx";
import { FIELDS, type FieldOption } from "#lib/application/fields.ts";
import { config } from "#lib/config.ts";
import { contactTexts } from "#lib/content/contact-page.ts";
import { newTabLabel, smsHref, telHref } from "#lib/content/links.ts";
import { formatRegionName, regions } from "#lib/content/regions.ts";
import { blankTextApplication } from "#lib/content/text-application.ts";

const WIDE_CARD = "col-span-full md:col-span-1 lg:col-span-full";
const CARD = "rounded-l border p-4 sm:p-5";
const LIGHT_CARD = `${CARD} border-asphalt-300 bg-white`;
const CARD_TEXT = "mt-1 font-strong text-asphalt-900 leading-[1.6]";
const LINK_CARD = `${LIGHT_CARD} colour-fade hover:border-asphalt-900`;

export function ContactInfo() {
  const { inquiryPhone: phone, messengerUrl } = config();
  const { info, hint } = contactTexts;
  return (
    <div className="beside-form grid grid-cols-[repeat(auto-fit,minmax(min(100%,max(9rem,50%-1rem)),1fr))] gap-3 lg:sticky lg:top-25 lg:col-start-1 lg:row-start-1">
      {/* The border is seen only in forced colours, which remove the green background. */}
      <div className={`${WIDE_CARD} rounded-l border border-transparent bg-sign-800 text-white`}>
        <a
          href={telHref(phone)}
          className="block rounded-l p-4 colour-fade hover:bg-sign-900 sm:p-5"
        >
          <CardTitle icon={PhoneIcon} className="text-white">
            {info.phone}
          </CardTitle>
          <span className="mt-0.5 block wrap-anywhere font-heavy text-2xl lg:text-sign leading-[1.35] tracking-[-0.01em] tabular">
            {phone}
          </span>
        </a>
        {/* Only the button's focus ring is on the green card. The link's ring is on the light page around the card. */}
        <div className="on-dark">
          <CopyPhoneButton phone={phone} />
        </div>
      </div>
      <a href={smsHref(phone)} className={`${LINK_CARD} ${WIDE_CARD}`}>
        <CardTitle icon={MessageIcon}>{info.sms}</CardTitle>
        <span className="tabular mt-1 block wrap-anywhere font-bold text-control text-asphalt-900">
          {phone}
        </span>
        <span className="block text-asphalt-600 type-helper">{info.smsNote}</span>
      </a>
      {messengerUrl && (
        <a
          href={messengerUrl}
          target="_blank"
          rel="noopener"
          className={`${LINK_CARD} col-span-full`}
        >
          <span className="flex items-center gap-2 font-bold text-asphalt-900">
            {info.messengerLink} <NewTabIcon className="size-4.5" />
            <span className="sr-only">{newTabLabel}</span>
          </span>
        </a>
      )}
      <div className={LIGHT_CARD}>
        <CardTitle icon={MapPinIcon}>{info.regions}</CardTitle>
        <PageText as="p" className={CARD_TEXT} text={regions.map(formatRegionName).join(" ")} />
      </div>
      <div className={LIGHT_CARD}>
        <CardTitle icon={ClockIcon}>{info.times}</CardTitle>
        <PageText
          as="p"
          className={CARD_TEXT}
          text={[FIELDS.dayType, FIELDS.timeSlot].map(joinLabels).join("⏎")}
        />
      </div>
      <div className="col-span-full rounded-l bg-lane-100 p-4 sm:p-5">
        <h2 className="font-bold text-asphalt-900 leading-normal">{hint.title}</h2>
        <PageText as="p" className="mt-1 text-asphalt-700 type-small" text={hint.text} />
        <a href={smsHref(phone, blankTextApplication)} className="text-link mt-1">
          <span className="text-link-line">{hint.link}</span>
          <ArrowRightIcon />
        </a>
      </div>
    </div>
  );
}

const joinLabels = ({ options }: { options: readonly FieldOption[] }) =>
  options.map(({ label }) => label).join("·");

interface CardTitleProps {
  icon: Icon;
  className?: string;
  children: ReactNode;
}

function CardTitle({ icon: Icon, className = "text-asphalt-600", children }: CardTitleProps) {
  return (
    <span className={`flex items-center gap-2 font-semibold text-small ${className}`}>
      <Icon className="size-4.5" />
      {children}
    </span>
  );
}
