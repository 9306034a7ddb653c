/**
 * Makes the browser paint a page before it requests the page's scripts, which would compete with the style, font and
 * picture of the first screen. Next's scripts for browsers without modules are left out: no script of the site runs
 * there.
 */

const ASYNC_SCRIPT_PATTERN = /<script src="([^"]+)" async=""><\/script>/g;
/**
 * Turbopack's runtime, which starts React, is requested once all other scripts have run. The runtime would wait for a
 * missing script for ever. So if one cannot be loaded, the runtime is not requested, and the page stays as it is.
 */
const RUNTIME_PATTERN = /\/turbopack-[^/]*$/;
const PRELOAD_PATTERN = /<link rel="preload" as="script"[^>]*>/g;
const MANIFEST_PATTERN = /<link rel="manifest" href="([^"]+)"[^>]*>/;
const NO_MODULE_PATTERN = /<script src="[^"]+" noModule=""><\/script>/g;

const SCRIPT_START_PATTERN = /<script\b/gi;
const KNOWN_SCRIPT_PATTERN =
  /<script (?:src="[^"]+" (?:async|noModule)=""><\/script>|type="application\/ld\+json">|id="_R_">)|<script>(?:self\.__next_f|\(self\.__next_f=self\.__next_f\|\|\[\]\))\.push\(/g;

/** Turbopack's list of chunks, and React's data for hydration: about thirty consecutive inline scripts. */
const HYDRATION_SCRIPTS_PATTERN =
  /<script id="_R_">[^<]*<\/script><script>\(self\.__next_f=self\.__next_f\|\|\[\]\)\.push\(\[0\]\)<\/script>(?:<script>self\.__next_f\.push\(\[1,"(?:[^"\\]|\\.)*"\]\)<\/script>)+/;

/** One of React's data scripts. Its text is a JavaScript string in double quotes. */
const REACT_DATA_PATTERN = /self\.__next_f\.push\(\[1,("(?:[^"\\]|\\.)*")\]\)/g;

/** Time for the first paint after a frame's callback, in browsers that do not report the paint itself. */
const PAINT_WAIT_MS = 100;
/** Longest delay of the scripts after the end of the document. */
const MAX_SCRIPT_DELAY_MS = 3_000;
/** Number of further requests for a script that could not be loaded, and the pause before each of these requests. */
const [RETRIES, RETRY_MS] = [3, 2_000];

/**
 * The inline script that requests all other scripts. React finds scripts by their attribute `async`. A hidden page is
 * not painted, so its scripts do not wait. `submitted` and `typed` tell lib/browser/before-scripts.ts what the visitor
 * did before React started.
 */
const composeStarterScript = (
  sources: readonly string[],
  runtime: string,
  manifest: string,
) => `(()=>{
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
addEventListener("input",()=>{document.documentElement.dataset.typed=""},{once:true});
if(document.hidden)return start();
addEventListener("visibilitychange",start);
addEventListener("DOMContentLoaded",()=>{requestAnimationFrame(()=>setTimeout(start,${PAINT_WAIT_MS}));setTimeout(start,${MAX_SCRIPT_DELAY_MS})});
try{new PerformanceObserver(start).observe({type:"paint",buffered:true})}catch{}
})()`;

/**
 * Quotes the text with single quotes, so that its double quotes need no escape. React's data repeats the HTML, and the
 * compressor finds the repetition only without escapes: the home page would be half a kilobyte larger.
 */
function singleQuoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return `'${escaped.replaceAll("'", "\\'").replaceAll("<", "\\u003c")}'`;
}

/**
 * Defers the scripts of a page, and joins its inline scripts into one, which needs only one hash in the policy.
 * A page with an unknown script tag is returned unchanged.
 */
export function deferScripts(html: string): string {
  const sources = [...html.matchAll(ASYNC_SCRIPT_PATTERN)].map(([, source = ""]) => source);
  const hasOnlyKnownScripts =
    html.match(SCRIPT_START_PATTERN)?.length === html.match(KNOWN_SCRIPT_PATTERN)?.length;
  const runtime = sources.find((source) => RUNTIME_PATTERN.test(source));
  const [, manifest] = MANIFEST_PATTERN.exec(html) ?? [];
  if (!runtime || !manifest || !hasOnlyKnownScripts) return html;
  return html
    .replace(PRELOAD_PATTERN, "")
    .replace(MANIFEST_PATTERN, "")
    .replace(NO_MODULE_PATTERN, "")
    .replace(ASYNC_SCRIPT_PATTERN, "")
    .replace(HYDRATION_SCRIPTS_PATTERN, (scripts) =>
      scripts
        .replaceAll("</script><script>", ";")
        .replace(
          REACT_DATA_PATTERN,
          (_, text: string) => `self.__next_f.push([1,${singleQuoted(JSON.parse(text))}])`,
        ),
    )
    .replace(
      "</head>",
      () => `<script>${composeStarterScript(sources, runtime, manifest)}</script></head>`,
    );
}
