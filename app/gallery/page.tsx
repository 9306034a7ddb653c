import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { CourseStages } from "#components/gallery/course-stages.tsx";
import { SceneGrid } from "#components/gallery/scene-grid.tsx";
import { CallStrip } from "#components/layout/call-strip.tsx";
import { PageHead } from "#components/ui/headings.tsx";
import { galleryPage, galleryScenes } from "#lib/content/gallery-page.ts";

export const generateMetadata = () => pageMetadata("gallery");

export default function GalleryPage() {
  return (
    <main>
      <div className="page-width page-block">
        <PageHead title={galleryPage.title} lead={galleryPage.lead} />
        {galleryScenes.length > 0 && (
          <div className="mt-9 md:mt-14 lg:mt-15">
            <SceneGrid />
          </div>
        )}
      </div>
      <CourseStages />
      <CallStrip />
      <PageStructuredData page="gallery" />
    </main>
  );
}
