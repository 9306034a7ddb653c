import { CheckIcon } from "#components/ui/icons.tsx";
import { FIELDS } from "#lib/application/fields.ts";
import { features } from "#lib/content/home.ts";

const { caption, day, possible } = features.times;

/** Every day type at every time slot: all of them are open. */
export function TimeTable() {
  return (
    <table className="w-full table-fixed border-separate [border-spacing:0] text-small leading-normal">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col" className="w-[max(22%,2.25em)] lg:w-[15%]">
            <span className="sr-only">{day}</span>
          </th>
          {FIELDS.timeSlot.options.map(({ code, label }) => (
            <th key={code} scope="col" className="pb-1 font-semibold text-asphalt-600">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {FIELDS.dayType.options.map(({ code, label }) => (
          <tr key={code}>
            <th scope="row" className="whitespace-nowrap pt-2 text-left font-bold text-asphalt-900">
              {label}
            </th>
            {FIELDS.timeSlot.options.map((slot) => (
              <td key={slot.code} className="pt-2 pl-2">
                <span className="flex min-h-11 items-center justify-center rounded-s bg-sign-100 text-sign-800">
                  <CheckIcon />
                  <span className="sr-only">{possible}</span>
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
