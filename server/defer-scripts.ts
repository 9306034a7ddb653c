/**
 * Makes the browser paint a page before it requests the page's scripts, which compete with the style, font and picture
 * of the first screen. Forms and menu work without scripts.
 *
 * Turbopack's runtime, which starts the hydration, is requested last. If another script cannot be loaded, also not when
 * it is requested again (a phone may be changing its network), the page stays as the server made it. With the runtime first, Turbopack would wait for that script for ever, and React would
 * render again and again.
 *
 * Next's scripts for browsers without modules are left out, because such a browser does not run ours either.
 */

const SCRIPT_FILE = /<script src="([^"]+)" async=""><\/script>/g;
const RUNTIME = /\/turbopack-[^/]*$/;
const PRELOAD = /<link rel="preload" as="script"[^>]*>/g;
const MANIFEST = /<link rel="manifest" href="([^"]+)"[^>]*>/;
const NO_MODULE = /<script src="[^"]+" noModule=""><\/script>/g;

const SCRIPT = /<script\b/gi;
const KNOWN_SCRIPT =
  /<script (?:src="[^"]+" (?:async|noModule)=""><\/script>|type="application\/ld\+json">|id="_R_">)|<script>(?:self\.__next_f|\(self\.__next_f=self\.__next_f\|\|\[\]\))\.push\(/g;

/** React's data for hydration: about thirty consecutive inline scripts. */
const HYDRATION_DATA =
  /<script>\(self\.__next_f=self\.__next_f\|\|\[\]\)\.push\(\[0\]\)<\/script>(?:<script>self\.__next_f\.push\(\[1,"(?:[^"\\]|\\.)*"\]\)<\/script>)+/;

/** Delay of the scripts after the callback of a frame, because the browser paints the frame only after it. */
const FRAME_MS = 100;
/** Delay after the end of the document, for browsers without a paint entry, such as Firefox for a scrolled page. */
const LATEST_MS = 3_000;
/** A script that could not be loaded is requested again this often, each time after this pause. */
const [RETRIES, RETRY_MS] = [3, 2_000];

/**
 * Runs in the browser. The new scripts have `async`, because React finds scripts by that attribute. A hidden page is
 * not painted, so its scripts do not wait.
 */
const starter = (sources: readonly string[], runtime: string, manifest: string) => `(()=>{
let started=0,missing=${sources.length - 1};
const add=(name,set)=>document.head.append(Object.assign(document.createElement(name),set));
const load=(src,onload,left=${RETRIES})=>add("script",{src,async:true,onload,onerror(){left&&setTimeout(load,${RETRY_MS},src,onload,left-1)}});
const onload=()=>{--missing||load("${runtime}")};
const start=()=>{if(started++)return;
add("link",{rel:"manifest",href:"${manifest}"});
for(const src of ${JSON.stringify(sources)})
if(src==="${runtime}")add("link",{rel:"preload",as:"script",href:src});
else load(src,onload)};
addEventListener("submit",(event)=>{event.defaultPrevented||(document.documentElement.dataset.submitted="")});
if(document.hidden)return start();
addEventListener("visibilitychange",start);
addEventListener("DOMContentLoaded",()=>{requestAnimationFrame(()=>setTimeout(start,${FRAME_MS}));setTimeout(start,${LATEST_MS})});
try{new PerformanceObserver(start).observe({type:"paint",buffered:true})}catch{}
})()`;

/**
 * Joins React's data into one script too, which needs only one hash in the policy. A page with an unknown script tag is
 * returned unchanged.
 */
export function deferScripts(html: string): string {
  const sources = [...html.matchAll(SCRIPT_FILE)].map(([, source = ""]) => source);
  const isKnown = html.match(SCRIPT)?.length === html.match(KNOWN_SCRIPT)?.length;
  const runtime = sources.find((source) => RUNTIME.test(source));
  const [, manifest] = MANIFEST.exec(html) ?? [];
  if (!runtime || !manifest || !isKnown) return html;
  return html
    .replace(PRELOAD, "")
    .replace(MANIFEST, "")
    .replace(NO_MODULE, "")
    .replace(SCRIPT_FILE, "")
    .replace(HYDRATION_DATA, (scripts) => scripts.replaceAll("</script><script>", ";"))
    .replace("</head>", () => `<script>${starter(sources, runtime, manifest)}</script></head>`);
}
