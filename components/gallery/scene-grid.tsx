import { SceneCards } from "#components/gallery/scene-cards.tsx";
import { photoAttributes } from "#components/ui/photo.tsx";
import { galleryPage, galleryScenes } from "#lib/content/gallery-page.ts";

const CARD_SIZES = "(width >= 80rem) 384px, (width >= 64rem) 32vw, (width >= 48rem) 50vw, 100vw";
const LARGE_SIZES = "(width >= 64rem) 72vw, 100vw";

export function SceneGrid() {
  const scenes = galleryScenes.map((scene) => ({
    title: scene.title,
    description: scene.description,
    card: photoAttributes(scene, CARD_SIZES),
    large: photoAttributes(scene, LARGE_SIZES),
  }));
  return <SceneCards scenes={scenes} texts={galleryPage.lightbox} />;
}
