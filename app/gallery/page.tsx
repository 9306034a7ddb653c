import { PageStructuredData, pageMetadata } from "#app/page-metadata.tsx";
import { CallStrip } from "#components/gallery/call-strip.tsx";
import { ProcessRoad } from "#components/gallery/process-road.tsx";
import { SceneGrid } from "#components/gallery/scene-grid.tsx";
import { PageHead } from "#components/ui/page-head.tsx";
import { config } from "#lib/config.ts";
import { gallery, galleryPage } from "#lib/content/gallery.ts";

export const generateMetadata = () => pageMetadata("gallery");

export default function GalleryPage() {
  return (
    <main>
      <div className="page-width pt-10 pb-18 md:pt-16 md:pb-24 lg:pt-20 lg:pb-30">
        <PageHead title={galleryPage.title} lead={galleryPage.lead} />
        <div className="mt-9 md:mt-14 lg:mt-15">
          <SceneGrid scenes={gallery} />
        </div>
      </div>
      <ProcessRoad />
      <CallStrip phone={config().inquiryPhone} />
      <PageStructuredData page="gallery" />
    </main>
  );
}
