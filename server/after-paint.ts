/**
 * A page is seen before it is scripted. Next names its scripts in the head as `async`: they are fetched
 * beside the style, the font and the picture that the first screen waits for, and on a fast line they run
 * before it is painted. Nothing on that screen needs them (forms and menu work without), so they are asked
 * for once the browser has painted.
 */
import { type Flight, takeFlight } from "#server/flight.ts";

const FILE = /<script src="([^"]+)" async=""><\/script>/g;
const PRELOAD = /<link rel="preload" as="script"[^>]*>/g;

/**
 * Runs in the browser. React looks for its scripts by their `async` attribute, so they have it here too. A
 * tab that was opened behind another is not painted: there the scripts do not wait.
 */
const starter = (sources: readonly string[], flight: Flight | undefined) => `(()=>{
let started;
const start=()=>{if(started)return;started=true;${flight ? booted(flight) : ""}
for(const src of ${JSON.stringify(sources)})document.head.append(Object.assign(document.createElement("script"),{src,async:true}))};
if(document.hidden||!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("paint"))start();
else{new PerformanceObserver(start).observe({type:"paint",buffered:true});addEventListener("visibilitychange",start)}
})()`;

/**
 * Next boots when the data is there and the page has come to its end: a browser paints before that, and React
 * would take what is missing for a fault. Without the data the page stays as it was sent, which works.
 */
const booted = ({ path, boot }: Flight) => `
const parsed=new Promise(end=>{document.readyState==="loading"?addEventListener("DOMContentLoaded",end):end()});
const data=fetch("${path}").then(answer=>answer.ok?answer.text():Promise.reject());
Promise.all([data,parsed]).then(([text])=>{
(self.__next_f=self.__next_f||[]).push([0],[1,text]);
${boot}
},()=>{});`;

export interface PaintedFirst {
  html: string;
  /** The file that the page asks for after its first paint. */
  flight?: Flight | undefined;
}

/** The page with its scripts asked for after the first paint; as it was where it names none. */
export function afterPaint(html: string): PaintedFirst {
  const sources = [...html.matchAll(FILE)].map(([, source = ""]) => source);
  if (sources.length === 0) return { html };
  const unscripted = html.replace(PRELOAD, "").replace(FILE, "");
  const { bare, flight } = takeFlight(unscripted) ?? { bare: unscripted };
  const script = `<script>${starter(sources, flight)}</script></head>`;
  return { html: bare.replace("</head>", () => script), flight };
}
