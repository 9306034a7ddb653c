import { Copy } from "#components/ui/copy.tsx";
import { galleryPage } from "#lib/content/gallery.ts";

const POST =
  "absolute top-1/2 right-full h-1.5 w-[32px] [translate:0_-50%] bg-asphalt-400 lg:top-full lg:right-auto lg:left-10 lg:h-12 lg:w-2 lg:[translate:none]";

export function CourseStages() {
  const { title, lead, stages } = galleryPage.process;
  return (
    <section className="on-dark section-block overflow-x-clip bg-asphalt-900 text-asphalt-300">
      <div className="page-width">
        <div className="lg:grid lg:grid-cols-[7fr_5fr] lg:items-end lg:gap-12">
          <Copy as="h2" className="text-white type-h2" text={title} />
          <Copy as="p" className="mt-4 type-lead" text={lead} />
        </div>
        <div className="relative mt-8 lg:mt-14 lg:grid lg:grid-cols-3 lg:grid-rows-[auto_3rem_auto_auto] lg:gap-x-8">
          <div aria-hidden className="road" />
          <ol className="flex flex-col gap-10 pt-2 pb-6 pl-[66px] lg:col-[1/span_3] lg:row-[1/span_4] lg:grid lg:grid-cols-subgrid lg:grid-rows-subgrid lg:gap-x-8 lg:gap-y-0 lg:p-0">
            {stages.map((stage) => (
              <Sign key={stage.name} stage={stage} />
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}

function Sign({ stage }: { stage: (typeof galleryPage.process.stages)[number] }) {
  return (
    <li className="lg:row-span-4 lg:grid lg:grid-rows-subgrid">
      <div className="keyline relative w-fit rounded-l bg-sign-800 px-5 py-3 text-white forced-colors:border lg:min-w-44 lg:px-7 lg:py-[1.125rem]">
        <h3 className="font-heavy text-xl leading-[1.3] tracking-sign lg:text-sign">
          {stage.name}
        </h3>
        <p lang="en" className="font-medium text-legal leading-[1.35] lg:text-base">
          {stage.english}
        </p>
        <span aria-hidden className={POST} />
      </div>
      <p className="mt-3.5 max-w-[16.5rem] text-balance type-body lg:row-start-4 lg:mt-6">
        <Copy text={stage.description} />
      </p>
    </li>
  );
}
