// @ts-check
/**
 * Keeps pages for when there is no network: what all pages load, those that were visited or asked to be kept, and
 * those that were open when this worker came. Pages come from the network while there is one. A worker of another
 * version gives way to this one, and what it kept goes with it.
 */

/** The version of everything that pages load; the server fills it in. */
const VERSION = "@VERSION@";
/** Files that every page loads, from where this file is. @type {string[]} */
const SHELL = [/*@SHELL@*/];
/** What a page says that is not kept, by language. @type {Record<string, {title: string, note: string}>} */
const SAID = {/*@SAID@*/};
const CACHE = `greenwave-${VERSION}`;
/** The explorer without a server, from where this file is: it answers where no page is kept. */
const SOLVER = ["offline/index.html", "offline/site.js", "offline/style.css", "offline/icon.svg"];
const SOLVERS = "greenwave-solver-";
const OF_SOLVER = SOLVERS + VERSION;
/** Most pages that are kept. */
const MOST = 300;
/** Most pages to which one links that is not kept. */
const LINKED = 24;

const worker = /** @type {any} */ (self);

worker.addEventListener("install", (event) => {
  const filled = caches.open(CACHE).then((cache) => cache.addAll(SHELL)).then(keepOpen).then(renewSolver);
  event.waitUntil(filled.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const cleared = caches
    .keys()
    .then((names) => names.filter((name) => name.startsWith("greenwave-") && ![CACHE, OF_SOLVER].includes(name)))
    .then((old) => Promise.all(old.map((name) => caches.delete(name))));
  event.waitUntil(cleared.then(() => worker.clients.claim()));
});

/** Keeps the pages that are open: nothing passed through this worker when they were loaded. */
async function keepOpen() {
  const open = await worker.clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const { url } of open) await keepPage(url);
}

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

/** @param {Response} answer */
function isPage(answer) {
  // A page that waits for its answer has 202: it is nothing to keep. A worker that does not know this keeps it until
  // this one takes its place, with the next page that is opened, and drops all that it kept.
  return answer.status === 200 && !answer.redirected && /text\/html|image\//.test(answer.headers.get("content-type") ?? "");
}

/** Keeps the page of an address: whether that was done. @param {string} address */
async function keepPage(address) {
  try {
    const request = new Request(address, { headers: { accept: "text/html" } });
    const answer = await fetch(request);
    if (!isPage(answer)) return false;
    await keep(request, answer);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/**
 * The page at an address that is not kept: it says so, in the language of the address or else of the reader, and
 * links to those that were kept last.
 * @param {Request} request
 */
async function missing(request) {
  const named = new URL(request.url).searchParams.get("lang");
  const wanted = [named, ...navigator.languages].map((one) => (one ?? "").slice(0, 2).toLowerCase());
  const language = wanted.find((one) => one in SAID) ?? "en";
  const cache = await caches.open(CACHE);
  /** @type {{of: string, link: string}[]} */
  const listed = [];
  for (const kept of (await cache.keys()).slice(SHELL.length).slice(-LINKED).reverse()) {
    const answer = await cache.match(kept, { ignoreVary: true });
    const text = (await answer?.text()) ?? "";
    const title = /<title>([^<]*) \u2013 /.exec(text);
    const of = /<html lang="([^"]*)/.exec(text)?.[1] ?? "";
    // Many positions of a game have the same title: their moves tell them apart.
    const { searchParams } = new URL(kept.url);
    const moves = (searchParams.get("moves") ?? searchParams.get("position") ?? "").replaceAll(",", " ");
    const told = moves ? ` <small>${escaped(moves)}</small>` : "";
    if (title) listed.push({ of, link: `<li><a href="${escaped(kept.url)}">${title[1]}</a>${told}</li>` });
  }
  // Those in the language of this page, unless there are none.
  const own = listed.filter(({ of }) => of === language);
  const links = (own.length ? own : listed).map(({ link }) => link).join("");
  const { title, note } = SAID[language];
  const style = SHELL.find((file) => file.includes(".css")) ?? "";
  return new Response(
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8">` +
      '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">' +
      `<title>${title} \u2013 Greenwave</title><link rel="stylesheet" href="${new URL(style, worker.registration.scope)}">` +
      `</head><body><main class="way"><h1>${title}</h1><p>${note}</p><ul class="ways">${links}</ul></main></body></html>`,
    {
      status: 503,
      headers: {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'; style-src 'self'; base-uri 'none'",
      },
    },
  );
}

/** @param {Request} request */
async function page(request) {
  try {
    const answer = await fetch(request);
    if (isPage(answer)) await keep(request, answer.clone());
    return answer;
  } catch (error) {
    const known = await caches.match(request, { ignoreVary: true });
    if (known) return known;
    const answered = await solved(request);
    if (answered) return answered;
    if (request.mode === "navigate") return missing(request);
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
      if (await keepPage(address)) count += 1;
    }
    const solver = event.data.solver === true && (await keepSolver());
    event.source?.postMessage({ kept: count, of: addresses.length, solver });
  };
  if (addresses.length) event.waitUntil(kept());
});
