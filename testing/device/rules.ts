/**
 * The rules of every history, by the words with which a failing history names them. A rule returns what breaks the
 * rule. The comment of a rule says when the rule is not checked.
 */
import { isKept } from "#lib/browser/entry.ts";
import type { Device } from "#testing/device/model.ts";
import type { DevicePage } from "#testing/device/page.ts";

type Rule = (device: Device) => readonly unknown[];

export const RULES_AT_ANY_MOMENT: Record<string, Rule> = {
  /** Not checked for an application that may have two keys: one of them may still be kept. */
  "what was taken back or deleted is not sent": ({ sentAfterTakenBackOrDeleted }) =>
    sentAfterTakenBackOrDeleted,

  "one key belongs to one set of values": ({ keysWithOtherValues }) => keysWithOtherValues,

  /** Not checked once the disk has failed, nor for a key that the form of a duplicated tab still uses. */
  "what a form has given back is not on the disk": (device) =>
    device.disk.hasFailed
      ? []
      : formStates(device)
          .filter(({ status, failure }) => status === "editing" && failure)
          .flatMap(({ application }) => application ?? [])
          .filter(({ id }) => device.pages.filter((page) => shows(page, id)).length === 1)
          .filter(({ id }) => listKeptKeys(device).includes(id)),

  /**
   * A form may show a promised application under its own key, because the server stores a key once. Exempt is what
   * was taken back or deleted, and what a duplicated tab may have under a second key.
   */
  "what was promised stands in no form as a new application": ({
    pages,
    promised,
    takenBackOrDeleted,
    mayHaveTwoKeys,
  }) =>
    pages.flatMap(({ form, fields: { phone } }) => {
      const { status, application } = form.getSnapshot();
      const isNew = status === "editing" && application?.values.phone !== phone;
      const isExempt = takenBackOrDeleted.has(phone) || mayHaveTwoKeys.has(phone);
      return isNew && promised.has(phone) && !isExempt ? [phone] : [];
    }),

  "a form calls nothing unsent of which its page has the receipt": ({ pages }) =>
    pages
      .filter(({ form, outbox }) => {
        const state = form.getSnapshot();
        const entry = state.application && outbox.find(state.application.id);
        const isUnsent = state.status === "editing" && !state.failure && !state.isReceived;
        return isUnsent && entry && !isKept(entry);
      })
      .map(({ fields }) => fields.phone),

  /** Not checked while the disk fails. */
  "a form says kept only of what is on the disk": (device) =>
    formStates(device)
      .filter(({ status }) => status === "kept" && !device.disk.fails)
      .filter(({ application }) => !listKeptKeys(device).includes(application?.id ?? "")),

  "a form says received only of what the server has stored": (device) =>
    formStates(device)
      .filter(({ status }) => status === "received")
      .filter(({ application }) => {
        const row = device.rows.get(application?.id ?? "");
        return row?.phone !== application?.values.phone;
      }),
};

/** Checked at the end, when no page is open and everything has worked for minutes. */
export const RULES_AT_THE_END: Record<string, Rule> = {
  "everything that is kept and not refused is sent": (device) =>
    keptOnDisk(device).filter(({ refusal }) => !refusal),

  "everything that was promised is at the server, refused, a draft, or ended by the visitor": (
    device,
  ) => {
    const drafts = device.pages.map(({ session: { draft } }) =>
      typeof draft === "object" ? draft.values.phone : undefined,
    );
    const refused = keptOnDisk(device).map(({ values }) => values.phone);
    const known = new Set([
      ...listStoredPhones(device),
      ...refused,
      ...drafts,
      ...device.takenBackOrDeleted,
    ]);
    return [...device.promised].filter((phone) => !known.has(phone));
  },

  /** Not checked for an application that may have two keys. */
  "the server has every application once": (device) => {
    const phones = listStoredPhones(device).filter((phone) => !device.mayHaveTwoKeys.has(phone));
    return phones.filter((phone, index) => phones.indexOf(phone) !== index);
  },
};

/** The broken rules, each with what breaks it. */
export function findBroken(rules: Record<string, Rule>, device: Device): string[] {
  return Object.entries(rules).flatMap(([rule, find]) => {
    const broken = find(device);
    return broken.length > 0 ? `${rule}: ${JSON.stringify(broken)}` : [];
  });
}

const formStates = ({ pages }: Device) =>
  pages.map(({ form }) => ({ application: undefined, failure: undefined, ...form.getSnapshot() }));

const shows = ({ form }: DevicePage, id: string) => form.getSnapshot().application?.id === id;

const keptOnDisk = ({ disk }: Device) => [...disk.entries.values()].filter(isKept);

const listKeptKeys = (device: Device) => keptOnDisk(device).map(({ id }) => id);

const listStoredPhones = ({ rows }: Device) => [...rows.values()].map(({ phone }) => phone);
