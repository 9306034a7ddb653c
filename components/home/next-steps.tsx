import { PageText } from "#components/ui/page-text.tsx";
import { RoadSigns } from "#components/ui/road-signs.tsx";
import { config } from "#lib/config.ts";
import { nextSteps } from "#lib/content/next-steps.ts";

/** What happens after an application, with what the owner has stated about calls and meetings. */
export function NextSteps() {
  const { callbackPromise, factPickup } = config();
  const { title, apply, call, lesson } = nextSteps;
  return (
    <section className="section-block overflow-x-clip bg-asphalt-100">
      <div className="page-width">
        <PageText as="h2" className="type-h2 text-asphalt-900" text={title} />
        <RoadSigns
          signs={[
            apply,
            { ...call, text: callbackPromise ?? call.text },
            { ...lesson, text: factPickup },
          ]}
        />
      </div>
    </section>
  );
}

/** The steps below a receipt: the first is shown as done, and no call is promised, because the receipt promises it. */
export function StepsAfterReceipt({ heading }: { heading: "h2" | "h3" }) {
  const { apply, doneLabel, call, lesson } = nextSteps;
  const signs = [{ name: apply.name, doneLabel }, call, { ...lesson, text: config().factPickup }];
  return <RoadSigns heading={heading} signs={signs} />;
}
