import { formatApplicationId } from "#lib/application/application-id.ts";
import { CAR_TYPES, DAY_TYPES, GENDERS, labelOf, TIME_SLOTS } from "#lib/application/fields.ts";
import { formatPhone } from "#lib/application/phone.ts";
import { isCalendarDate, koreanDay } from "#lib/application/seoul-time.ts";
import type { StoredApplication } from "#lib/application/stored-application.ts";
import { cleanLine } from "#lib/application/text.ts";
import { defangLinks } from "#lib/channels/defang-links.ts";
import { countWord } from "#lib/content/count-words.ts";

/** An application as the owner reads it: labels for codes, every field on one line, links inert. */
export interface OwnerView {
  /** `7K3M-PQ9X` */
  number: string;
  name: string;
  /** `010-1234-5678` */
  phone: string;
  /** `여성/32` */
  person: string;
  region: string;
  /** `12월 1일(화)`, with the year when it is another than that of the submission. */
  date: string;
  /** `평일/오전` */
  time: string;
  car: string;
  /** What it has to do with earlier ones: `앞의 신청 7K3M-PQ9X를 고친 것`. */
  relations: string[];
  /** Keeps its line breaks; empty when nothing was written. */
  message: string;
}

export function ownerView(stored: StoredApplication): OwnerView {
  const { applicationId, application, submittedAt } = stored;
  const line = (text: string) => defangLinks(cleanLine(text));
  const { gender, dayType, timeSlot, carType } = application;
  return {
    number: formatApplicationId(applicationId),
    name: line(application.name),
    phone: line(formatPhone(application.phone)),
    person: `${labelOf(GENDERS, gender)}/${application.age}`,
    region: line(application.region),
    date: dateOf(application.preferredDate, submittedAt),
    time: `${labelOf(DAY_TYPES, dayType)}/${labelOf(TIME_SLOTS, timeSlot)}`,
    car: labelOf(CAR_TYPES, carType),
    relations: relationsOf(stored),
    message: defangLinks(application.message),
  };
}

/** A repeat has the same words as the first message: this year is the year of the submission. */
function dateOf(date: string, submittedAt: number): string {
  return isCalendarDate(date) ? koreanDay(date, submittedAt) : defangLinks(cleanLine(date));
}

function relationsOf({ corrects, earlierToday }: StoredApplication): string[] {
  const correction = corrects && formatApplicationId(corrects);
  return [
    ...(correction ? [`앞의 신청 ${correction}${objectParticle(correction)} 고친 것`] : []),
    ...(earlierToday && earlierToday.applicationId !== corrects
      ? [
          `오늘 ${countWord(earlierToday.count)} 번째 신청, 앞의 것 ${formatApplicationId(earlierToday.applicationId)}`,
        ]
      : []),
  ];
}

/** By how the last character is read: 엑스를, but 엠을 and 삼을. */
function objectParticle(number: string): "을" | "를" {
  return /[MNR3678]$/.test(number) ? "을" : "를";
}
