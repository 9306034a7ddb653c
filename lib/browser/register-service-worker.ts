/** Built by build/service-worker.ts. */
const SCRIPT = "/sw.js";

/**
 * Installs the service worker once the page has loaded, so that the two do not compete for the network.
 * `onChange` hears when the worker has changed the outbox.
 */
export function registerServiceWorker(onChange: () => void): () => void {
  const workers = "serviceWorker" in navigator ? navigator.serviceWorker : undefined;
  if (!workers) return () => undefined;
  const register = () => {
    // Refused (private mode, storage blocked) or out of reach: everything works without it.
    workers.register(SCRIPT, { updateViaCache: "none" }).catch(() => undefined);
  };
  if (document.readyState === "complete") register();
  else addEventListener("load", register, { once: true });
  workers.addEventListener("message", onChange);
  return () => {
    removeEventListener("load", register);
    workers.removeEventListener("message", onChange);
  };
}
