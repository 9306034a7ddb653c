import { Copy } from "#components/ui/copy.tsx";
import { galleryPage, type Stage } from "#lib/content/gallery.ts";

/** The three stages of the course, as signs beside one road. */
export function ProcessRoad() {
  const { title, lead, stages } = galleryPage.process;
  return (
    <section className="on-dark section-block overflow-x-clip bg-asphalt-900 text-asphalt-300">
      <div className="page-width">
        <div className="lg:grid lg:grid-cols-[7fr_5fr] lg:items-end lg:gap-12">
          <h2 className="text-white type-h2">
            <Copy text={title} />
          </h2>
          <p className="mt-4 type-lead">
            <Copy text={lead} />
          </p>
        </div>
        <div className="relative mt-8 lg:mt-14 lg:grid lg:grid-cols-3 lg:grid-rows-[auto_3rem_auto_auto] lg:gap-x-8">
          <Road />
          <ol className="flex flex-col gap-10 py-2 pb-6 pl-[4.125rem] lg:col-span-3 lg:col-start-1 lg:row-span-4 lg:row-start-1 lg:grid lg:grid-cols-subgrid lg:grid-rows-subgrid lg:gap-x-8 lg:gap-y-0 lg:p-0">
            {stages.map((stage) => (
              <Sign key={stage.name} stage={stage} />
            ))}
          </ol>
        </div>
      </div>
    </section>
  );
}

/** Asphalt between white edges with yellow dashes: down the left side, or across the window from 1024 px. */
function Road() {
  return (
    <div
      aria-hidden
      className="absolute inset-y-0 left-0 flex w-10 justify-center border-white border-x-[3px] bg-asphalt-700 lg:static lg:col-span-3 lg:col-start-1 lg:row-start-3 lg:mx-[calc(50%-50vw)] lg:h-[3.875rem] lg:w-screen lg:items-center lg:border-x-0 lg:border-y-[3px] lg:py-0"
    >
      <div className="h-full w-[5px] bg-[linear-gradient(to_bottom,transparent_21%,currentColor_21%_79%,transparent_79%)] bg-[length:5px_52px] [background-repeat:round] text-lane-500 lg:h-1.5 lg:w-full lg:bg-[linear-gradient(to_right,currentColor_56%,transparent_56%)] lg:bg-[length:100px_6px]" />
    </div>
  );
}

function Sign({ stage }: { stage: Stage }) {
  return (
    <li className="lg:row-span-4 lg:grid lg:grid-rows-subgrid">
      <div className="keyline relative w-fit rounded-l bg-sign-800 px-5 py-3 lg:px-7 lg:py-[1.125rem] before:absolute before:top-1/2 before:right-full before:h-1.5 before:w-8 before:[translate:0_-50%] before:bg-asphalt-400 lg:before:top-full lg:before:right-auto lg:before:left-10 lg:before:h-12 lg:before:w-2 lg:before:[translate:none]">
        <h3 className="font-[750] text-white text-xl leading-[1.3] tracking-[-0.02em] lg:text-[1.625rem]">
          {stage.name}
        </h3>
        <p
          lang="en"
          className="font-medium text-[0.8125rem] text-white leading-[1.35] lg:text-base"
        >
          {stage.english}
        </p>
      </div>
      <p className="mt-3.5 max-w-[16.5rem] type-body lg:row-start-4 lg:mt-6">
        <Copy text={stage.description} />
      </p>
    </li>
  );
}
