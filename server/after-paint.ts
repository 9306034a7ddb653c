/**
 * A page is seen before it is scripted. Next names its scripts in the head as `async`: they are fetched
 * beside the style, the font and the picture that the first screen waits for, and on a fast line they run
 * before it is painted. Nothing on that screen needs them (forms and menu work without), so they are asked
 * for once the browser has painted.
 */
import { packFlight } from "#server/flight.ts";

const FILE = /<script src="([^"]+)" async=""><\/script>/g;
const PRELOAD = /<link rel="preload" as="script"[^>]*>/g;

/**
 * Runs in the browser. React looks for its scripts by their `async` attribute, so they have it here too. A
 * tab that was opened behind another is not painted: there the scripts do not wait.
 */
const starter = (sources: readonly string[]) => `(()=>{
let sources=${JSON.stringify(sources)};
const start=()=>{for(const src of sources)document.head.append(Object.assign(document.createElement("script"),{src,async:true}));sources=[]};
if(document.hidden||!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("paint"))start();
else{new PerformanceObserver(start).observe({type:"paint",buffered:true});addEventListener("visibilitychange",start)}
})()`;

/** The page with its scripts asked for after the first paint; as it was where it names none. */
export function afterPaint(html: string): string {
  const sources = [...html.matchAll(FILE)].map(([, source = ""]) => source);
  if (sources.length === 0) return html;
  const bare = html.replace(PRELOAD, "").replace(FILE, "");
  return packFlight(bare.replace("</head>", () => `<script>${starter(sources)}</script></head>`));
}
