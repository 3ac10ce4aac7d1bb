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
/** The explorer without a server, from where this file is: it answers where no page is kept. */
const SOLVER = ["offline/index.html", "offline/site.js", "offline/style.css", "offline/icon.svg"];
const SOLVERS = "greenwave-solver-";
const OF_SOLVER = SOLVERS + VERSION;
/** Most pages that are kept. */
const MOST = 300;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (event) => {
  const filled = caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(renewSolver);
  event.waitUntil(filled.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const cleared = caches
    .keys()
    .then((names) => names.filter((name) => name.startsWith("greenwave-") && ![CACHE, OF_SOLVER].includes(name)))
    .then((old) => Promise.all(old.map((name) => caches.delete(name))));
  event.waitUntil(cleared.then(() => worker.clients.claim()));
});

/** Keeps the solver: whether that was done. */
async function keepSolver() {
  try {
    const files = SOLVER.map((file) => new Request(new URL(file, worker.registration.scope), { cache: "reload" }));
    await (await caches.open(OF_SOLVER)).addAll(files);
    return true;
  } catch {
    return false;
  }
}

/** Who has kept a solver of another version has this one. */
async function renewSolver() {
  const names = await caches.keys();
  if (names.some((name) => name.startsWith(SOLVERS) && name !== OF_SOLVER)) await keepSolver();
}

/**
 * Where the solver shows the page of an address, if it is kept.
 * @param {Request} request
 */
async function solved(request) {
  const [index] = SOLVER.map((file) => new URL(file, worker.registration.scope).href);
  if (request.mode !== "navigate" || !(await caches.match(index))) return undefined;
  const url = new URL(request.url);
  const path = url.pathname.slice(new URL(worker.registration.scope).pathname.length - 1);
  return Response.redirect(`${index}#${path}${url.search}`);
}

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
    const answered = await solved(request);
    if (answered) return answered;
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
    const solver = event.data.solver === true && (await keepSolver());
    event.source?.postMessage({ kept: count, of: addresses.length, solver });
  };
  if (addresses.length) event.waitUntil(kept());
});
