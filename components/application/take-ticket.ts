import { ticketIn } from "#lib/application/ticket.ts";
import { withWish } from "#lib/application/wishes.ts";
import { enterValue, fieldValue } from "#lib/browser/form-field.ts";

/** Fills in what a price ticket's address asks for, unless the visitor has chosen a car before. */
export function takeTicket(form: HTMLFormElement, search: string): void {
  const ticket = ticketIn(search);
  if (!ticket || fieldValue(form, "carType") !== "") return;
  enterValue(form, "carType", ticket.carType);
  if (!ticket.wish) return;
  enterValue(form, "message", withWish(fieldValue(form, "message"), ticket.wish.words));
}
