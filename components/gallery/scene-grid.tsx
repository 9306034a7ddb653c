import { Lightbox } from "#components/gallery/lightbox.tsx";
import { SceneLink } from "#components/gallery/scene-link.tsx";
import { EnlargeIcon } from "#components/ui/icons.tsx";
import { Photo } from "#components/ui/photo.tsx";
import { photoAttributes } from "#components/ui/photo-attributes.ts";
import { galleryPage, type Scene } from "#lib/content/gallery.ts";

const FIRST_SIZES = "(width >= 80rem) 792px, (width >= 64rem) 64vw, (width >= 48rem) 50vw, 100vw";
const OTHER_SIZES = "(width >= 80rem) 384px, (width >= 64rem) 32vw, (width >= 48rem) 50vw, 100vw";
const LARGE_SIZES = "(width >= 64rem) 72vw, 100vw";

/** The photo cards; each opens the lightbox, and without a script the picture itself. */
export function SceneGrid({ scenes }: { scenes: readonly Scene[] }) {
  const large = scenes.map((scene) => ({
    title: scene.title,
    description: scene.description,
    image: photoAttributes(scene.picture, LARGE_SIZES),
  }));
  return (
    <Lightbox scenes={large} copy={galleryPage.lightbox}>
      <ul className="grid gap-x-6 gap-y-8 md:grid-cols-2 md:gap-y-10 lg:grid-cols-3 lg:gap-y-12">
        {scenes.map((scene, index) => (
          <li key={scene.title} className={index === 0 ? "lg:col-span-2 lg:row-span-2" : undefined}>
            <SceneLink index={index} href={large[index]?.image.src}>
              <Card scene={scene} first={index === 0} />
            </SceneLink>
          </li>
        ))}
      </ul>
    </Lightbox>
  );
}

function Card({ scene, first }: { scene: Scene; first: boolean }) {
  return (
    <>
      <Photo
        picture={scene.picture}
        sizes={first ? FIRST_SIZES : OTHER_SIZES}
        eager={first}
        className={`aspect-4/3 rounded-l ${first ? "lg:aspect-auto lg:grow" : ""}`}
      >
        <span className="absolute right-3 bottom-3 grid size-11 place-items-center rounded-m bg-asphalt-900 text-white colour-fade group-hover:text-lane-500">
          <EnlargeIcon />
        </span>
      </Photo>
      <h2 className={`scene-title mt-4 group-hover:underline ${first ? "lg:text-2xl" : ""}`}>
        {scene.title}
      </h2>
      {scene.description && (
        <p className={`mt-1 text-asphalt-600 ${first ? "type-small lg:type-body" : "type-small"}`}>
          {scene.description}
        </p>
      )}
    </>
  );
}
