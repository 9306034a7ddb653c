import { beforeEach, expect, it, vi } from "vitest";
import { Device, flushPromises, type RequestEnding } from "#testing/device/model.ts";
import type { DevicePage } from "#testing/device/page.ts";
import { filledInValues, receipt } from "#testing/fixtures/browser-application.ts";

async function openDevice() {
  const device = new Device();
  await flushPromises();
  const [page] = device.pages;
  if (!page) throw new Error("The device has two pages.");
  return { device, page };
}

/** Ends the request that runs, and returns the state of the form afterwards. */
async function endRequest(device: Device, page: DevicePage, how: RequestEnding) {
  const [request] = device.requests;
  if (!request) throw new Error("No request runs.");
  device.endRequest(request, how);
  await flushPromises();
  return page.form.getSnapshot();
}

async function submit(
  device: Device,
  page: DevicePage,
  how: RequestEnding,
  values = filledInValues,
) {
  page.type(values);
  page.submit();
  await flushPromises();
  return endRequest(device, page, how);
}

const runningKey = (device: Device) => device.requests[0]?.kept.id;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));

const kept = { status: "kept", failure: { kind: "later", reason: "connection" } };
it.each([
  ["answered", { status: "received", receipt }, "submitted"],
  ["dropped", kept, "submitted"],
  ["refused", { status: "editing", failure: { kind: "refused" } }, { values: filledInValues }],
] as const)("a form and its draft show that a submission was %s", async (how, state, draft) => {
  const { device, page } = await openDevice();
  page.type(filledInValues);
  page.submit();
  expect(page.form.getSnapshot()).toMatchObject({ status: "sending" });
  await flushPromises();
  // The tab may close during the request.
  expect([...device.disk.entries.keys()]).toEqual([runningKey(device)]);
  expect(page.session.draft).toBe("submitted");
  const ended = await endRequest(device, page, how);
  expect(ended).toMatchObject({ ...state, application: { values: filledInValues } });
  expect(page.session.draft).toEqual(draft);
});

it("a form gives its application back if neither server nor disk has it [37]", async () => {
  const { device, page } = await openDevice();
  device.disk.fails = true;
  const state = await submit(device, page, "dropped");
  expect(state).toMatchObject({ status: "editing", failure: { reason: "connection" } });
  const { id } = state.application ?? {};
  expect(page.session.draft).toEqual({ values: filledInValues, id });
  // Even after a reload, the same values are sent with the same key.
  device.openPage(0, page.session);
  await flushPromises();
  device.pages[0]?.submit();
  await flushPromises();
  expect(runningKey(device)).toBe(id);
});

it("nothing is left on a disk that stored an application too late [37]", async () => {
  const { device, page } = await openDevice();
  vi.spyOn(page.outbox, "keep").mockImplementation(async (application) => {
    device.disk.entries.set(application.id, application);
    return false;
  });
  const state = await submit(device, page, "dropped");
  expect(state).toMatchObject({ status: "editing", failure: { reason: "connection" } });
  expect(device.disk.entries.size).toBe(0);
});

it("an idempotency key that the server refused is not used again", async () => {
  const { device, page } = await openDevice();
  const { application } = await submit(device, page, "refused");
  page.submit();
  await flushPromises();
  expect(runningKey(device)).not.toBe(application?.id);
});

it("a form gives its application back if the browser throws an error", async () => {
  const { page } = await openDevice();
  vi.spyOn(page.outbox, "keep").mockImplementation(() => {
    throw new Error("a broken browser");
  });
  page.type(filledInValues);
  page.submit();
  await flushPromises();
  expect(page.form.getSnapshot()).toMatchObject({ status: "editing", failure: { kind: "later" } });
});

it("nothing can be typed into a kept application until it is taken back", async () => {
  const { device, page } = await openDevice();
  const { application } = await submit(device, page, "dropped");
  page.form.writeTyped({ ...filledInValues, name: "박여주" });
  expect(page.session.draft).toBe("submitted");
  await page.takeBack();
  expect(page.form.getSnapshot()).toMatchObject({ status: "editing", application });
  expect(page.session.draft).toEqual({ values: filledInValues, id: application?.id });
  expect(device.disk.entries.size).toBe(0);
  await page.outbox.keepSending();
  expect(device.requests).toEqual([]);
  // The unchanged application is sent with the same key, because it may have arrived before.
  page.submit();
  await flushPromises();
  expect(runningKey(device)).toBe(application?.id);
});

it.each([undefined, "submitted"] as const)(
  "a form shows what it takes back although the tab's storage stays %s [70]",
  async (draft) => {
    const { device, page } = await openDevice();
    const { application } = await submit(device, page, "dropped");
    const session = Object.defineProperty({}, "draft", { get: () => draft, set: () => undefined });
    device.openPage(0, session, { edit: application?.id ?? null });
    await flushPromises();
    expect(device.pages[0]?.fields).toEqual(filledInValues);
    const { application: again } = await submit(device, device.pages[0] ?? page, "dropped");
    await device.pages[0]?.takeBack();
    expect(device.pages[0]?.fields).toEqual(again?.values);
  },
);

it("a form stops calling its application unsent when an earlier request arrives [68]", async () => {
  const { device, page } = await openDevice();
  const { application } = await submit(device, page, "dropped");
  void page.outbox.keepSending();
  await flushPromises();
  await page.takeBack();
  expect(page.form.getSnapshot()).not.toHaveProperty("isReceived");
  const arrived = await endRequest(device, page, "answered");
  expect(arrived).toMatchObject({ status: "editing", application, isReceived: true });
  // Submitted unchanged, the application gets the same number again.
  page.submit();
  await flushPromises();
  expect(runningKey(device)).toBe(application?.id);
});

it("a kept application stays closed if the disk cannot give it back", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, "dropped");
  device.disk.fails = true;
  await page.takeBack();
  expect(page.form.getSnapshot()).toMatchObject(kept);
});

it.each([
  ["answered", { status: "received" }],
  ["dropped", kept],
  ["refused", { status: "editing", failure: { kind: "refused" } }],
] as const)("a form shows that the repeat of a kept application was %s", async (how, state) => {
  const { device, page } = await openDevice();
  const { application } = await submit(device, page, "dropped");
  page.submit();
  await flushPromises();
  expect(page.form.getSnapshot()).toMatchObject({ status: "sending" });
  expect(runningKey(device)).toBe(application?.id);
  expect(await endRequest(device, page, how)).toMatchObject(state);
});

it("a hidden tab takes a refused application back only when it is shown", async () => {
  const { device, page } = await openDevice();
  await submit(device, page, "dropped");
  vi.stubGlobal("document", { hidden: true });
  void device.pages[1]?.outbox.keepSending();
  await flushPromises();
  expect(await endRequest(device, page, "refused")).toMatchObject(kept);
  expect(device.disk.entries.size).toBe(1);
  vi.unstubAllGlobals();
  await page.outbox.keepSending();
  await flushPromises();
  expect(page.form.getSnapshot()).toMatchObject({ failure: { kind: "refused" } });
});

it("a submission has no effect while a link's application is read from the disk", async () => {
  const { device, page } = await openDevice();
  page.type(filledInValues);
  const restored = page.restore({ edit: "gone", refilled: filledInValues });
  page.submit();
  await restored;
  expect([device.requests, page.fields]).toEqual([[], filledInValues]);
});

it("a form that the browser itself is sending restores no draft", async () => {
  const { page } = await openDevice();
  page.type(filledInValues);
  page.form.setSendingByBrowser(true);
  expect(await page.form.restore(null)).toBeUndefined();
  page.form.setSendingByBrowser(false);
  expect(await page.form.restore(null)).toEqual(filledInValues);
});

it("Back shows what was typed on another page of the tab since", async () => {
  const { device, page } = await openDevice();
  page.type(filledInValues);
  device.leavePage(0);
  await flushPromises();
  const typed = { ...filledInValues, name: "박여주" };
  device.pages[0]?.type(typed);
  device.goBack(0);
  await flushPromises();
  expect(page.fields).toEqual(typed);
});

it("Back leaves a form as it was if nothing was typed or submitted since", async () => {
  const { device, page } = await openDevice();
  page.type(filledInValues);
  const before = page.form.getSnapshot();
  device.leavePage(0);
  device.goBack(0);
  await flushPromises();
  expect(page.form.getSnapshot()).toEqual(before);
  expect(page.fields).toEqual(filledInValues);
});
