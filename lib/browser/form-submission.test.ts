import { beforeEach, expect, it, vi } from "vitest";
import type { FormValues } from "#lib/browser/form-values.ts";
import { Device, flushPromises, type RequestEnding } from "#testing/device/model.ts";
import type { DevicePage } from "#testing/device/page.ts";
import { filledIn, receipt } from "#testing/fixtures/browser-application.ts";

const MINUTE_MS = 60_000;

async function openDevice() {
  const device = new Device();
  await flushPromises();
  const [page, other] = device.pages;
  if (!page || !other) throw new Error("The device has two pages.");
  return { device, page, other };
}

/** Submits `values`, and ends the request as `how` says. */
async function submit(device: Device, page: DevicePage, values: FormValues, how: RequestEnding) {
  page.type(values);
  page.submit();
  await flushPromises();
  const request = device.requests[0];
  if (!request) throw new Error("The submission has sent no request.");
  device.end(request, how);
  await flushPromises();
  return page.form.getSnapshot();
}

async function reload(device: Device, page: DevicePage): Promise<DevicePage> {
  page.setOpen(false);
  device.openPage(0, page.session);
  await flushPromises();
  return device.pages[0] ?? page;
}

const edited = { ...filledIn, name: "박여주" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));

it.each([
  ["answered", { status: "received", receipt, whenDone: "show-result" }],
  ["rejected", { status: "rejected", refusal: { errors: { phone: "전화번호" } } }],
  ["dropped", { status: "queued", reason: "connection", isChanged: false }],
] as const)("a form shows that its submission was %s", async (how, state) => {
  const { device, page } = await openDevice();
  expect(page.form.getSnapshot()).toMatchObject({ status: "editing", submitted: {} });
  expect(await submit(device, page, filledIn, how)).toMatchObject({
    ...state,
    submitted: filledIn,
  });
});

it("a form has the status not-queued if server and outbox lack its application", async () => {
  const { device, page } = await openDevice();
  device.disk.fails = true;
  expect(await submit(device, page, filledIn, "dropped")).toMatchObject({ status: "not-queued" });
  expect(page.drafts.exist()).toBe(true);
  expect(await submit(device, page, filledIn, "answered")).toMatchObject({ reason: undefined });
  await page.outbox.apply(page.outbox.records()[0]?.id ?? "", { type: "removed" });
  expect(page.form.getSnapshot()).toMatchObject({ status: "editing" });
});

it("a form whose submission throws has the status not-queued", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, filledIn, "dropped");
  vi.spyOn(page.sender, "submit").mockImplementation(() => {
    throw new Error("a broken browser");
  });
  page.type(filledIn);
  page.submit();
  await flushPromises();
  expect(page.form.getSnapshot()).toMatchObject({ status: "not-queued", submitted: filledIn });
});

it("a reload restores typed values", async () => {
  const { device, page } = await openDevice();
  page.type(filledIn);
  device.openPage(1, new Map(page.session));
  await flushPromises();
  // The draft belongs to the original tab.
  expect(device.pages[1]?.fields).toEqual({});
  expect((await reload(device, page)).fields).toEqual(filledIn);
});

it("a form that the browser itself is sending restores no draft", async () => {
  const { page } = await openDevice();
  page.drafts.save(filledIn);
  page.form.setSendingByBrowser(true);
  expect(await page.form.restore()).toBeUndefined();
  page.form.setSendingByBrowser(false);
  expect(await page.form.restore()).toEqual(filledIn);
});

it("a reload does not restore a draft that was submitted before the page ended", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, filledIn, "answered");
  expect(await page.form.restore()).toBeUndefined();
  page.drafts.save(filledIn);
  expect((await reload(device, page)).fields).toEqual({});
});

it.each([
  ["answered", false],
  ["dropped", false],
  ["answered", true],
] as const)(
  "the draft of a submission that was %s is deleted (failing disk: %s)",
  async (how, fails) => {
    const { device, page } = await openDevice();
    device.disk.fails = fails;
    await submit(device, page, filledIn, how);
    expect(page.drafts.exist()).toBe(false);
    expect((await reload(device, page)).fields).toEqual({});
  },
);

it("editing a queued application stores no draft", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, filledIn, "dropped");
  page.type(edited);
  expect(page.drafts.exist()).toBe(false);
});

it("the device keeps a receipt while the next application is queued", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, filledIn, "answered");
  page.type(edited);
  expect(page.drafts.read("draft")?.values).toEqual(edited);
  await submit(device, page, edited, "dropped");
  expect(page.outbox.records()).toMatchObject([{ state: "received" }, { state: "queued" }]);
});

it.each([
  [false, "rejected"],
  [true, "editing"],
])("a reload restores a rejected application (failing disk: %s)", async (fails, status) => {
  const { device, page } = await openDevice();
  device.disk.fails = fails;
  await submit(device, page, filledIn, "rejected");
  const next = await reload(device, page);
  expect(next.form.getSnapshot()).toMatchObject({ status, isChanged: false });
  expect(next.fields).toEqual(filledIn);
  // The next submission has a new key, because the server would refuse the same key again.
  next.submit();
  await flushPromises();
  expect(device.requests.map(({ record }) => record.id)).not.toEqual([...device.refused]);
});

it("a reload restores a correction in place of the draft", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, filledIn, "rejected");
  page.drafts.save({ name: "draft" });
  page.type(edited);
  expect(device.locks.isHeld("editing/")).toBe(false);
  const next = await reload(device, page);
  expect(next.form.getSnapshot()).toMatchObject({ status: "rejected", submitted: filledIn });
  expect(next.fields).toEqual(edited);
  await submit(device, next, edited, "answered");
  expect(next.drafts.read("correction")).toBeUndefined();
  expect(next.drafts.read("draft")?.values).toEqual({ name: "draft" });
  next.drafts.save(edited, "deleted elsewhere");
  const last = await reload(device, next);
  expect(last.fields).toEqual({ name: "draft" });
  expect(last.drafts.read("correction")).toBeUndefined();
  expect([...device.disk.records.values()].map(({ state }) => state)).toEqual(["received"]);
});

it("a form recognises only values that were submitted before", async () => {
  const { device, page, other } = await openDevice();
  await submit(device, page, filledIn, "dropped");
  for (const { form } of [page, other])
    expect([filledIn, edited].map((each) => form.wasSubmitted(each))).toEqual([true, false]);
  await page.outbox.apply(page.outbox.records()[0]?.id ?? "", { type: "removed" });
  expect(page.form.wasSubmitted(filledIn)).toBe(true);
});

it("a queued application is locked only while its form shows other values", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, filledIn, "dropped");
  const notify = vi.spyOn(page.outbox, "notifyOtherPages");
  page.type(edited);
  page.setOpen(true);
  await flushPromises();
  expect(device.locks.isHeld("editing/")).toBe(true);
  expect(notify).toHaveBeenCalledTimes(1);
  page.type(filledIn);
  await flushPromises();
  expect(device.locks.isHeld("editing/")).toBe(false);
  expect(notify).toHaveBeenCalledTimes(2);
});

it("an edited application is queued ten minutes after the last change", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, filledIn, "dropped");
  page.type(edited);
  page.type(filledIn);
  vi.advanceTimersByTime(6 * MINUTE_MS);
  page.type(edited);
  vi.advanceTimersByTime(6 * MINUTE_MS);
  page.type({ ...edited, age: "35" });
  vi.advanceTimersByTime(9 * MINUTE_MS);
  await flushPromises();
  expect(device.locks.isHeld("editing/")).toBe(true);
  vi.advanceTimersByTime(MINUTE_MS);
  await flushPromises();
  expect(device.locks.isHeld("editing/")).toBe(false);
  expect([...device.disk.records.values()]).toMatchObject([{ values: { ...edited, age: "35" } }]);
});

it("closing an edited form sends the last valid values", async () => {
  for (const [phone, sent] of [
    ["01099998888", "01099998888"],
    ["010-", filledIn.phone],
  ] as const) {
    const { device, page } = await openDevice();
    await submit(device, page, filledIn, "dropped");
    page.type({ ...filledIn, phone });
    page.setOpen(false);
    await flushPromises();
    await vi.advanceTimersByTimeAsync(1);
    expect(device.requests.map(({ record }) => record.values.phone)).toEqual([sent]);
    expect(page.drafts.wasSubmitted({ ...filledIn, phone })).toBe(phone === sent);
  }
});

it("a queued version stays if the disk cannot store the changed values", async () => {
  for (const isSubmitted of [false, true]) {
    const { device, page } = await openDevice();
    await submit(device, page, filledIn, "dropped");
    page.type(edited);
    device.disk.fails = true;
    page.setOpen(false);
    page.setOpen(true);
    if (isSubmitted) page.submit();
    await flushPromises();
    const known = isSubmitted ? [filledIn, edited] : [filledIn];
    expect(page.outbox.records()).toMatchObject(known.map((values) => ({ values })));
    const status = isSubmitted ? "sending" : "queued";
    expect(page.form.getSnapshot()).toMatchObject({ status, submitted: known.at(-1) });
  }
});

it("a form that is sending ignores changes and further submissions", async () => {
  const { device, page } = await openDevice();
  page.type(filledIn);
  page.submit();
  page.form.edit(edited);
  page.submit();
  await flushPromises();
  expect(device.requests.length).toBe(1);
  expect(page.form.getSnapshot()).toMatchObject({ status: "sending", isChanged: false });
});

it("an open form hides the notice of its own record", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, filledIn, "dropped");
  const [record] = page.outbox.records();
  expect(page.outbox.isShownByForm(record?.id ?? "")).toBe(true);
  page.setOpen(false);
  expect(page.outbox.isShownByForm(record?.id ?? "")).toBe(false);
  page.setOpen(true);
  if (record) device.disk.records.set(record.id, { ...record, state: "expired", seen: false });
  await page.outbox.refresh();
  page.type(edited);
  expect(page.outbox.isShownByForm(record?.id ?? "")).toBe(false);
});

it("a form's state stays the same object until it changes", async () => {
  const { device, page } = await openDevice();
  // React would mark corrected fields as invalid again if the refusal were another object.
  const state = await submit(device, page, filledIn, "rejected");
  await page.outbox.refresh();
  expect(page.form.getSnapshot()).toBe(state);
  const listener = vi.fn();
  page.form.subscribe(listener);
  page.form.setSendingByBrowser(true);
  expect(listener).toHaveBeenCalledTimes(1);
  expect(page.form.getSnapshot()).toMatchObject({ status: "sending" });
});
