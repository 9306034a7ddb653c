import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { contentLines } from "#cli/applications/show.ts";
import { ApplicationFields } from "#components/application/application-fields.tsx";
import { ApplicationResult } from "#components/application/result.tsx";
import { SubmitNotes } from "#components/application/submit-notes.tsx";
import {
  type Application,
  FIELD_NAMES,
  FIELDS,
  type FieldName,
  FORM_NAMES,
  fieldFacts,
  OPTIONAL_FIELDS,
  SUMMARY_FIELDS,
  shortFieldLabel,
} from "#lib/application/fields.ts";
import { composeApplicationTextMessage, summaryLine } from "#lib/application/summary.ts";
import { areSameValues } from "#lib/browser/form-values.ts";
import { applicationsCsv } from "#lib/channels/applications-csv.ts";
import { composeMailFields } from "#lib/channels/mail/message.ts";
import { composeApplicationSms } from "#lib/channels/sms/text.ts";
import { policySections } from "#lib/content/privacy-page.ts";
import { filledInValues, receipt } from "#testing/fixtures/browser-application.ts";
import { aStoredApplication, MAIL_ADDRESSES } from "#testing/fixtures/stored-application.ts";
import {
  aNewApplication,
  anApplication,
  openTemporaryStore,
} from "#testing/storage/temporary-store.ts";

/** Stored values, each with a pattern of what people read. The other fields have options or free text. */
const SAMPLES: Partial<Record<FieldName, { value: string | number; read: RegExp }>> = {
  phone: { value: "+821098765432", read: /010-9876-5432/ },
  age: { value: 77, read: /77/ },
  region: { value: "원주", read: /원주/ },
  preferredDate: { value: "2026-12-24", read: /2026-12-24|12월 24일/ },
};

function sampleOf(field: FieldName) {
  const option = fieldFacts(field).options?.find(({ code }) => code !== anApplication()[field]);
  const text = option?.label ?? `${FIELDS[field].label} 글`;
  return SAMPLES[field] ?? { value: option?.code ?? text, read: new RegExp(text) };
}

/** Returns a tracked application with the given values in some fields. */
const trackedWith = (values: Partial<Record<FieldName, string | number>>) => ({
  ...aStoredApplication(values as Partial<Application>),
  state: "open" as const,
  channel: undefined,
  finishedAt: undefined,
  calledAt: undefined,
});
type Tracked = ReturnType<typeof trackedWith>;

const mailOf = (application: Tracked) =>
  composeMailFields({ kind: "application", application }, MAIL_ADDRESSES);

/** Texts in which people read an application, with the fields that each text must show (by default all). */
const PLACES: Record<string, { fields?: readonly FieldName[]; of: (all: Tracked) => string }> = {
  "the text message": { of: (all) => composeApplicationSms(all).text },
  "the text of the mail": { of: (all) => mailOf(all).text },
  "the HTML of the mail": { of: (all) => mailOf(all).html },
  "the spreadsheet": { of: (all) => applicationsCsv([all]) },
  "the command show": { of: (all) => contentLines(all).join("\n") },
  "the summary": { fields: SUMMARY_FIELDS, of: ({ application }) => summaryLine(application) },
  "the visitor's own text message": {
    fields: FIELD_NAMES.filter((field) => field !== "phone"),
    of: ({ application }) => composeApplicationTextMessage(application),
  },
  "the receipt": {
    of: ({ application }) =>
      decodeURIComponent(
        renderToStaticMarkup(
          createElement(ApplicationResult, {
            heading: "h1",
            id: "receipt",
            outcome: receipt,
            values: application,
            phone: "",
            callbackPromise: undefined,
          }),
        ),
      ),
  },
};

const placesOfFields = Object.entries(PLACES).flatMap(([place, { fields = FIELD_NAMES, of }]) =>
  fields.map((field) => ({ place, field, of })),
);
test.each(placesOfFields)("$place contains the field $field [76]", ({ field, of }) => {
  const { value, read } = sampleOf(field);
  expect(of(trackedWith({ [field]: value }))).toMatch(read);
  expect(of(trackedWith({}))).not.toMatch(read);
});

test("no field follows an optional field on the same line of a message", () => {
  const beside = FIELD_NAMES.filter((field) => fieldFacts(field).onLineOfPreviousField);
  const before = beside.map((field) => FIELD_NAMES[FIELD_NAMES.indexOf(field) - 1]);
  expect(before.filter((field) => field && OPTIONAL_FIELDS.includes(field))).toEqual([]);
});

test.each(OPTIONAL_FIELDS)("only the spreadsheet mentions the field %s if it is empty", (field) => {
  const without = trackedWith({ [field]: "" });
  const { label, ownerLabel = label } = fieldFacts(field);
  for (const [place, { of }] of Object.entries(PLACES))
    if (place !== "the spreadsheet")
      expect(of(without), place).not.toMatch(`${label}|${ownerLabel}`);
});

const submitNotes = renderToStaticMarkup(
  createElement(SubmitNotes, { retentionDays: 90, registration: "", callbackPromise: undefined }),
);
const policy = JSON.stringify(policySections).match(/적어 주시는 정보:[^}]*/)?.[0] ?? "";

test.each(FIELD_NAMES)(
  "the notes at the submit button and the privacy page name the field %s [76]",
  (field) => {
    const mark = OPTIONAL_FIELDS.includes(field) ? "\\(선택\\)" : "";
    expect(submitNotes).toMatch(new RegExp(`(신| )${shortFieldLabel(field)}(,|은|는)`));
    expect(policy).toMatch(new RegExp(` ${FIELDS[field].label}${mark}[,"]`));
  },
);

const fieldsOfForms = FORM_NAMES.flatMap((form) =>
  FIELD_NAMES.map((field) => [form, field] as const),
);
test.each(fieldsOfForms)("the form %s has the field %s once", (form, field) => {
  const html = renderToStaticMarkup(createElement(ApplicationFields, { form }));
  const controls = html.match(
    new RegExp(`<(input|select|textarea)[^>]* name="${field}"[^>]*>`, "g"),
  );
  expect(controls).toHaveLength(fieldFacts(field).options?.length ?? 1);
  const isRequired = controls?.every((control) => / required(=|\s|>)/.test(control));
  expect(isRequired).toBe(!OPTIONAL_FIELDS.includes(field));
});

test("the store returns each field from a column of its own", async () => {
  await using temporary = openTemporaryStore();
  const samples = FIELD_NAMES.map((field) => [field, sampleOf(field).value]);
  const { application } = trackedWith(Object.fromEntries(samples));
  await temporary.store.accept(aNewApplication({ application, route: "mail" }));
  expect(await temporary.store.list({})).toMatchObject([{ application, route: "mail" }]);
});

test("values without a newer field equal values in which that field is empty [75]", () => {
  const { message: _later, ...earlier } = filledInValues;
  const kept = { ...earlier } as typeof filledInValues;
  expect(areSameValues(kept, { ...filledInValues, message: "" })).toBe(true);
});
