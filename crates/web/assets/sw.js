// @ts-check
/**
 * Keeps pages for when there is no network: what all pages load, and those that were visited or asked to be
 * kept. Pages come from the network while there is one. A worker of another version gives way to this one, and
 * what it kept goes with it.
 */

/** The version of everything that pages load; the server fills it in. */
const VERSION = "@VERSION@";
/** Files that every page loads, from where this file is. @type {string[]} */
const SHELL = [/*@SHELL@*/];
const CACHE = `greenwave-${VERSION}`;
/** Most pages that are kept. */
const MOST = 300;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (event) => {
  const filled = caches.open(CACHE).then((cache) => cache.addAll(SHELL));
  event.waitUntil(filled.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const cleared = caches
    .keys()
    .then((names) => names.filter((name) => name.startsWith("greenwave-") && name !== CACHE))
    .then((old) => Promise.all(old.map((name) => caches.delete(name))));
  event.waitUntil(cleared.then(() => worker.clients.claim()));
});

/** @param {Request} request @param {Response} answer */
async function keep(request, answer) {
  const cache = await caches.open(CACHE);
  await cache.put(request, answer);
  const all = await cache.keys();
  // The oldest go; what all pages load came first and stays.
  for (const old of all.slice(SHELL.length, Math.max(SHELL.length, all.length - MOST))) await cache.delete(old);
}

/** @param {Request} request */
async function page(request) {
  try {
    const answer = await fetch(request);
    const type = answer.headers.get("content-type") ?? "";
    if (answer.ok && !answer.redirected && /text\/html|image\//.test(type)) await keep(request, answer.clone());
    return answer;
  } catch (error) {
    const known = await caches.match(request, { ignoreVary: true });
    if (known) return known;
    const first = request.mode === "navigate" && (await caches.match(new URL("./", worker.registration.scope).href, { ignoreVary: true }));
    if (first) return first;
    throw error;
  }
}

worker.addEventListener("fetch", (event) => {
  const request = /** @type {Request} */ (event.request);
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || /\/(api|tables)\//.test(url.pathname)) return;
  if (url.pathname.includes("/assets/"))
    event.respondWith(caches.match(request).then((known) => known ?? fetch(request)));
  else event.respondWith(page(request));
});

// Pages that a reader wants to have without a network.
worker.addEventListener("message", (event) => {
  const addresses = Array.isArray(event.data?.keep) ? event.data.keep.slice(0, MOST) : [];
  const kept = async () => {
    let count = 0;
    for (const address of addresses) {
      try {
        const request = new Request(address, { headers: { accept: "text/html" } });
        const answer = await fetch(request);
        if (answer.ok && !answer.redirected) {
          await keep(request, answer);
          count += 1;
        }
      } catch {
        break;
      }
    }
    event.source?.postMessage({ kept: count, of: addresses.length });
  };
  if (addresses.length) event.waitUntil(kept());
});
