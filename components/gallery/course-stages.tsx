import { SectionHead } from "#components/ui/headings.tsx";
import { RoadSigns } from "#components/ui/road-signs.tsx";
import { galleryPage } from "#lib/content/gallery-page.ts";

export function CourseStages() {
  const { title, lead, stages } = galleryPage.course;
  return (
    <section className="on-dark section-block overflow-x-clip bg-asphalt-900 text-asphalt-300">
      <div className="page-width">
        <SectionHead title={title} lead={lead} />
        <RoadSigns signs={stages} />
      </div>
    </section>
  );
}
