// @ts-check
/**
 * Makes pages quicker and easier to use: links change the page in place, arrow keys step through the
 * game, the strip can be dragged, hints stay as they were. Everything works without it, too.
 */

const HINTS = "greenwave-hints";

/**
 * Answers questions where the pages are a folder of files, with addresses behind the `#`.
 * @type {{page(address: string): Promise<any>, picture(address: string): Promise<string>} | undefined}
 */
const site = globalThis.greenwaveSite;

/** @returns {HTMLElement | null} */
const status = () => document.getElementById("status");

/**
 * What was chosen about hints, if anything was: hidden on a board for this visit, else for good.
 * @returns {string | null}
 */
function hintsChosen() {
  try {
    return sessionStorage.getItem(HINTS) ?? localStorage.getItem(HINTS);
  } catch {
    return null;
  }
}

/**
 * How values are shown by an address: not at all, as signs, or with figures.
 * @param {URLSearchParams} fields
 */
const densityOf = (fields) => (fields.get("hints") === "0" ? "0" : fields.get("values") === "signs" ? "signs" : "1");

/** @param {string} chosen @param {boolean} isVisit whether hidden values come back with the next visit */
function chooseHints(chosen, isVisit) {
  try {
    sessionStorage.removeItem(HINTS);
    (isVisit && chosen === "0" ? sessionStorage : localStorage).setItem(HINTS, chosen);
  } catch {
    // Without storage the address alone carries the choice.
  }
}

/** Says that something was copied. @param {Element} button */
function done(button) {
  const said = status();
  if (said) said.textContent = button.getAttribute("data-done");
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1500);
}

/**
 * Copies the text of a position, or its card as an image; a card that cannot be copied is opened.
 * @param {Element} button
 */
async function share(button) {
  const text = button.getAttribute("data-copy-text");
  const image = button.getAttribute("data-copy-image") ?? "";
  try {
    if (text !== null) await navigator.clipboard.writeText(text);
    else {
      const card = fetch(image).then((answer) => answer.blob());
      await navigator.clipboard.write([new ClipboardItem({ "image/png": card })]);
    }
    done(button);
  } catch {
    if (text === null) location.href = image;
  }
}

/** Tells the page around a frame how high it is with a board as wide as the frame, however high the frame is: `{greenwave: {height}}`. */
function tellHeight() {
  if (parent === window || !document.body.classList.contains("embed")) return;
  const main = document.querySelector("main");
  const board = main?.querySelector("svg");
  if (!main || !board) return;
  const length = (/** @type {Element} */ of, /** @type {string} */ name) => parseFloat(getComputedStyle(of).getPropertyValue(name)) || 0;
  const across = main.clientWidth - length(main, "padding-left") - length(main, "padding-right");
  const drawn = (across * board.viewBox.baseVal.height) / board.viewBox.baseVal.width;
  const bar = main.querySelector(".embed-bar");
  const below = bar ? bar.getBoundingClientRect().height + length(bar, "margin-top") : 0;
  const height = Math.ceil(drawn + below + length(main, "padding-top") + length(main, "padding-bottom"));
  parent.postMessage({ greenwave: { height } }, "*");
}

const SETTINGS = "greenwave-settings";
const LANGUAGES = ["en", "pt", "es", "de"];

/** The choices of this device; without storage, those of this page. @type {Record<string, string>} */
let settings = {};
try {
  settings = { ...JSON.parse(localStorage.getItem(SETTINGS) ?? "{}") };
} catch {
  // Nothing was chosen.
}

/** Keeps the choices on this device. */
function keepSettings() {
  try {
    localStorage.setItem(SETTINGS, JSON.stringify(settings));
  } catch {
    // Until the page is left.
  }
}

/** @param {string} language */
function chooseLanguage(language) {
  settings.lang = language;
  keepSettings();
}

/** Puts on the page what was chosen. */
function applySettings() {
  for (const name of ["theme", "letters", "patterns"])
    if (typeof settings[name] === "string") document.documentElement.dataset[name] = settings[name];
}

/** How the page of settings calls what is kept about values. @type {Record<string, string>} */
const VALUES = { figures: "1", signs: "signs", hidden: "0" };

/** Shows what was chosen on the page of settings, and listens. */
function prepareSettings() {
  const form = document.querySelector("form.settings");
  if (!(form instanceof HTMLFormElement) || !form.hidden) return;
  form.hidden = false;
  document.querySelector(".needs-script")?.remove();
  const values = Object.entries(VALUES).find(([, kept]) => kept === hintsChosen())?.[0];
  const known = { ...settings, ...(values ? { values } : {}) };
  for (const [name, value] of Object.entries(known)) {
    const radio = form.querySelector(`[name="${CSS.escape(name)}"][value="${CSS.escape(String(value))}"]`);
    if (radio instanceof HTMLInputElement) radio.checked = true;
  }
  form.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement)) return;
    if (target.name === "values") chooseHints(VALUES[target.value], false);
    else settings[target.name] = target.value;
    applySettings();
    if (target.name === "sound") sound();
    keepSettings();
    // The page itself speaks the language that was chosen.
    if (target.name === "lang" && !site) {
      const here = new URL(location.href);
      if (target.value === "auto") here.searchParams.delete("lang");
      else here.searchParams.set("lang", target.value);
      location.replace(here);
    }
  });
}

/** @type {AudioContext | undefined} */
let audio;

/** A short tone, if the reader chose sound. */
function sound() {
  if (settings.sound !== "on") return;
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  const now = audio.currentTime;
  tone.frequency.value = 520;
  volume.gain.setValueAtTime(0.12, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.12);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.13);
}

/** Shows the page of help over this one. */
async function help() {
  const link = document.querySelector("[data-page=help]");
  const address = link instanceof HTMLAnchorElement ? link.href : "";
  if (!address || document.querySelector("dialog[open]")) return;
  const dialog = document.createElement("dialog");
  try {
    const page = new DOMParser().parseFromString((await fetched(address)).text, "text/html");
    const [title, text] = [page.querySelector("main h1"), page.querySelector("main")];
    if (!title || !text) throw new Error("no help");
    title.id = "help-title";
    dialog.setAttribute("aria-labelledby", title.id);
    const close = document.createElement("form");
    close.method = "dialog";
    const button = document.createElement("button");
    button.textContent = "\u2715";
    button.setAttribute("aria-label", text.getAttribute("data-close") ?? "Esc");
    close.append(button);
    dialog.append(close, ...text.childNodes);
  } catch {
    location.href = address;
    return;
  }
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}

/** Has the worker keep this page and those that it leads to. @param {Element} button */
async function keepOffline(button) {
  const links = document.querySelectorAll("section.board svg a,a.move,[data-step],.line a,.plies a");
  const pages = [...links].map((link) => new URL(link.getAttribute("href") ?? "", location.href).href);
  const addresses = [location.href, ...new Set(pages)];
  const ready = await navigator.serviceWorker.ready;
  ready.active?.postMessage({ keep: addresses, solver: button.hasAttribute("data-solver") });
  navigator.serviceWorker.addEventListener(
    "message",
    ({ data }) => {
      const text = (button.getAttribute("data-keep") ?? "{}").replace("{}", String(data.kept));
      const said = status();
      if (said) said.textContent = text;
      button.textContent = text;
    },
    { once: true },
  );
}

/** The worker that keeps pages, where the browser has such and the address is a safe one. */
const hasWorker = !site && !!navigator.serviceWorker;
const manifest = document.querySelector("link[rel=manifest]");
if (hasWorker && manifest instanceof HTMLLinkElement)
  navigator.serviceWorker.register(new URL("sw.js", manifest.href)).catch(() => {});

/**
 * Changes the page, seen to happen where motion is welcome.
 * @param {() => void} change
 */
function changed(change) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches || document.visibilityState === "hidden";
  if (still || !("startViewTransition" in document)) {
    change();
    return undefined;
  }
  const transition = document.startViewTransition(change);
  // A change that follows soon cuts this one short.
  for (const end of [transition.ready, transition.finished]) end.catch(() => {});
  return transition.updateCallbackDone;
}

/** Where the page is that is shown, but for the part after a `#`. */
let shown = location.pathname + location.search;

/** The square that had the focus before the page was changed. @type {string | null} */
let focused = null;

/** The number of the latest change, so that a slower one before it is dropped. */
let latest = 0;
/** Where the pages came from that are kept, by address. @type {Map<string, Promise<{text: string, url: string}>>} */
const kept = new Map();

/**
 * Whether a page says that it will show more soon.
 * @param {string} text
 */
const isWaiting = (text) => text.includes(" data-again=");

/**
 * The text of a page, fetched once.
 * @param {string} address
 * @returns {Promise<{text: string, url: string}>} its text, and where it was in the end
 */
function fetched(address) {
  let page = kept.get(address);
  if (!page && site) {
    page = site.page(address).then((found) => {
      if (!found.kept || isWaiting(found.text)) kept.delete(address);
      return found;
    });
    kept.set(address, page);
  } else if (!page) {
    page = fetch(address, { headers: { accept: "text/html" } }).then(async (answer) => {
      // A link to the next puzzle or move may lead elsewhere the next time.
      const text = await answer.text();
      if (!answer.ok || answer.redirected || isWaiting(text)) kept.delete(address);
      return { text, url: answer.url };
    });
    page.catch(() => kept.delete(address));
    if (kept.size > 60) kept.delete(kept.keys().next().value ?? "");
    kept.set(address, page);
  }
  return page;
}

/** Ends when the pointer that is down is up. @type {Promise<void> | null} */
let pressed = null;
let release = () => {};
document.addEventListener("pointerdown", () => {
  pressed ??= new Promise((done) => (release = done));
});
// After the listeners of the board, which show a page of their own where something was dragged.
for (const name of ["pointerup", "pointercancel"]) {
  document.addEventListener(name, () => {
    pressed = null;
    release();
  });
}

/**
 * Shows the page of an address in place of this one, but not while something of this one is dragged.
 *
 * @param {string} address
 * @param {boolean} isNew whether it is a step forward in the history of the browser
 * @param {boolean} inPlace whether it takes the place of the last step in that history
 */
async function show(address, isNew, inPlace = false) {
  const mine = ++latest;
  const active = document.activeElement;
  const inside = active?.closest("main");
  // While a reply is waited for there is nothing to focus on the board.
  const waits = document.querySelector("main[data-reply]");
  const square = active?.closest("section.board svg a");
  const inBoard = square ? squareOf(square) : waits && focused;
  focused = inBoard ?? null;
  // Of links that are alike on each page, such as those of a form, the one in the same place.
  const place = inside?.matches("[data-stays]") ? [...inside.querySelectorAll("a")].findIndex((link) => link === active) : -1;
  const step = active?.getAttribute("data-step") ?? active?.getAttribute("data-tool");
  let page;
  document.querySelector("main")?.setAttribute("aria-busy", "true");
  try {
    page = await fetched(address);
  } catch {
    if (mine === latest) location.href = address;
    return;
  }
  await pressed;
  if (mine !== latest) return;
  const next = new DOMParser().parseFromString(page.text, "text/html");
  if (!next.querySelector("main")) {
    location.href = address;
    return;
  }
  // What is pressed while a change is seen to happen is lost: nobody expects that where the page changes by itself.
  const isOwnStep = isNew && !inPlace;
  const put = () => replace(next, page, isNew, inPlace);
  if (isOwnStep) await changed(put);
  else put();
  if (mine !== latest) return;
  const result = document.querySelector("[data-result]");
  const again = result
    ? null
    : inBoard
      ? [...document.querySelectorAll("section.board svg a")].find((link) =>
          link.getAttribute("aria-label")?.startsWith(inBoard + " "),
        )
      : step
        ? document.querySelector(`[data-step="${step}"],[data-tool="${step}"]`)
        : document.querySelectorAll("main[data-stays] a")[place];
  // What was chosen in a menu is chosen again there.
  again?.closest("details")?.setAttribute("open", "");
  if (again) /** @type {HTMLElement} */ (again).focus({ preventScroll: true });
  else if (inside && !document.activeElement?.closest("main,header,footer")) focusInstead(inside === active, result);
  const target = document.getElementById(new URL(address, location.href).hash.slice(1));
  target?.scrollIntoView({ block: hasReasons() ? "nearest" : "start" });
  // Another position, of whose board the most is out of sight.
  const board = document.querySelector("section.board svg");
  const box = target || inPlace ? null : board?.getBoundingClientRect();
  if (box && step !== "why" && (box.top < -box.height / 4 || box.bottom > innerHeight + box.height / 4))
    board?.scrollIntoView({ block: "nearest" });
}

/**
 * Focuses what has taken the place of the link that was followed and is no longer there: the reasons that were
 * asked for, the result, the board, or all of the page.
 * @param {boolean} whole whether all of the page had the focus
 * @param {Element | null} result
 */
function focusInstead(whole, result) {
  const reasons = hasReasons() ? document.getElementById("why") : null;
  const board = whole ? null : document.querySelector("section.board svg");
  const place = /** @type {HTMLElement | null} */ (reasons ?? result ?? board ?? document.querySelector("main"));
  place?.setAttribute("tabindex", "-1");
  place?.focus({ preventScroll: !reasons && !result });
}

/**
 * Puts another page in the place of this one.
 * @param {Document} next
 * @param {{url: string, moved?: boolean}} page
 * @param {boolean} isNew
 * @param {boolean} inPlace
 */
function replace(next, page, isNew, inPlace) {
  const main = next.querySelector("main");
  const here = document.querySelector("main");
  if (!main || !here) return;
  // What was unfolded stays so on a page of the same kind.
  const isAlike = main.className === here.className && main.dataset.variant === here.dataset.variant;
  if (isAlike) {
    const title = (/** @type {HTMLDetailsElement} */ one) => one.querySelector("summary")?.textContent;
    const open = new Map([...here.querySelectorAll("details")].map((one) => [title(one), one.open]));
    main.querySelectorAll("details").forEach((one) => (one.open = open.get(title(one)) ?? one.open));
  }
  here.replaceWith(document.adoptNode(main));
  for (const part of ["header", "footer", ".skip"]) {
    const [mine, other] = [document.querySelector(part), next.querySelector(part)];
    // What is the same stays, and the focus in it.
    if (mine && other && !mine.isEqualNode(other)) mine.replaceWith(document.adoptNode(other));
  }
  if (next.documentElement.lang) document.documentElement.lang = next.documentElement.lang;
  document.body.className = next.body.className;
  document.title = next.title;
  if (isNew && !inPlace) history.pushState(null, "", page.url);
  else if (isNew || page.moved) history.replaceState(null, "", page.url);
  shown = location.pathname + location.search;
  if (isNew && !isAlike) scrollTo(0, 0);
  const said = status();
  const says = document.querySelector("main")?.getAttribute("data-say");
  if (said) said.textContent = says ?? document.getElementById("verdict")?.textContent ?? next.title;
  markPressed();
  prepare();
}

/** The square that was pressed with a pointer which has not left it since. @type {string | null} */
let pressedSquare = null;

/** The square of a link of the board. @param {Element | null | undefined} link */
const squareOf = (link) => link?.getAttribute("aria-label")?.split(" ")[0] ?? null;

/** Marks the square that was pressed: what comes next there is not shown before the pointer has left it. */
function markPressed() {
  for (const link of document.querySelectorAll("section.board svg a"))
    link.classList.toggle("pressed", pressedSquare !== null && squareOf(link) === pressedSquare);
}

document.addEventListener("pointermove", ({ target }) => {
  // Until the reply has come there is nothing to leave.
  if (pressedSquare === null || document.querySelector("main[data-reply]")) return;
  const link = target instanceof Element ? target.closest("section.board svg a") : null;
  if (squareOf(link) === pressedSquare) return;
  pressedSquare = null;
  markPressed();
});

/** For how long a move is seen before the reply to it, in milliseconds. */
const PAUSE = 300;

/**
 * Shows a move of the reader at once, and the reply of the program a moment later.
 * @param {URL} url
 */
async function playMove(url) {
  const held = new URL(url);
  held.searchParams.set("hold", "1");
  const reply = fetched(url.href);
  reply.catch(() => {});
  await show(held.href, true);
  const mine = latest;
  if (!document.querySelector("main[data-reply]")) return;
  await Promise.all([new Promise((done) => setTimeout(done, PAUSE)), reply.catch(() => {})]);
  if (mine === latest) await show(url.href, true, true);
}

/**
 * The name of a choice of a form, the same on each of its pages.
 * @param {Element} link
 */
function choiceOf(link) {
  const board = link.closest("svg");
  const group = (board ?? link.closest("[role=group]"))?.getAttribute("aria-label") ?? "";
  const label = link.getAttribute("aria-label") ?? link.textContent ?? "";
  // A square is named first, then what stands there.
  return `${group}: ${board ? label.split(" ")[0] : label.replace("\u2713", "").trim()}`;
}

/** Ends when all choices that were made so far are on the page. */
let choosing = Promise.resolve();

/**
 * Makes a choice of a form on the page to which the choices before it lead, so that none is lost.
 * @param {Element} link
 */
function choose(link) {
  const name = choiceOf(link);
  const made = async () => {
    const links = [...document.querySelectorAll("main[data-stays] a")];
    const url = followed(links.find((one) => choiceOf(one) === name) ?? null);
    if (url) await show(url.href, true);
  };
  choosing = choosing.then(made).catch(() => {});
}

/**
 * The address of a link if this script is to follow it.
 * @param {Element | null} link
 * @returns {URL | null}
 */
function followed(link) {
  const raw = link?.getAttribute("href");
  if (!raw || link?.getAttribute("target") || link?.closest("header,footer")) return null;
  // Behind the `#` the browser itself follows links, but for the cases here.
  if (site) return raw.startsWith("#/") && !raw.startsWith("#/api/") ? new URL(raw, location.href) : null;
  const url = new URL(raw, location.href);
  if (url.origin !== location.origin || url.pathname.includes("/api/")) return null;
  if (url.pathname === location.pathname && url.search === location.search && url.hash) return null;
  return url;
}

/**
 * The parameters of an address.
 * @param {URL} url
 */
const parameters = (url) => (site ? new URLSearchParams(url.hash.split("?")[1] ?? "") : url.searchParams);

/** Whether the page was asked for the reasons of a move, and not only shows those of the best one. */
const hasReasons = () => parameters(new URL(location.href)).has("why");

/**
 * Closes the menus that are open, but for the one in which an element stands.
 * @param {EventTarget | null} [inside]
 */
function closeMenus(inside = null) {
  for (const menu of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll(".menus details[open],.ended details[open]"))) {
    if (!(inside instanceof Node && menu.contains(inside))) menu.open = false;
  }
}

document.addEventListener("pointerdown", (event) => closeMenus(event.target));

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("[data-reset]")) {
    keepPuzzles(NO_PUZZLES);
    tellPuzzles(NO_PUZZLES);
    return;
  }
  const copy = target?.closest("[data-copy]");
  if (copy) {
    const field = document.getElementById(copy.getAttribute("data-copy") ?? "");
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      navigator.clipboard?.writeText(field.value).catch(() => field.select());
      done(copy);
    }
    return;
  }
  const sharing = target?.closest("[data-share]");
  if (sharing) {
    const url = sharing.getAttribute("data-share") ?? location.href;
    navigator.share({ title: document.title, url }).catch(() => {});
    return;
  }
  const keeping = target?.closest("[data-keep]");
  if (keeping) {
    void keepOffline(keeping);
    return;
  }
  if (target?.closest("[data-print]")) {
    print();
    return;
  }
  const shared = target?.closest("[data-copy-text],[data-copy-image]");
  if (shared) {
    void share(shared);
    return;
  }
  const link = target?.closest("a") ?? null;
  const opens = document.getElementById(link?.getAttribute("data-opens") ?? "");
  if (opens instanceof HTMLDetailsElement) opens.open = true;
  if (site && link?.getAttribute("href") === "#main") {
    // Behind the `#` stands the address of the page.
    event.preventDefault();
    const main = document.querySelector("main");
    main?.focus();
    return;
  }
  if (link?.hreflang) chooseLanguage(link.hreflang);
  const url = followed(link);
  if (!link || !url) return;
  if (link.matches("[data-tool=hints],[data-tool=signs]")) chooseHints(densityOf(parameters(url)), true);
  const stays = link.closest("main[data-stays]") && url.pathname === location.pathname && !site;
  if (!stays && !document.querySelector("main[data-variant]")) return;
  event.preventDefault();
  if (stays) {
    choose(link);
    return;
  }
  if (link.matches("section.board svg a,a[data-move]")) sound();
  pressedSquare = event.detail && link.matches("section.board svg a") ? squareOf(link) : null;
  if (link.matches("section.board svg a,a[data-move]") && document.querySelector("main[data-replies]") && !site)
    void playMove(url);
  else void show(url.href, true, link.matches("[data-step],.chart a,.plies a,[data-tool=signs],[data-tool=heat],.ask"));
});

// A move that is pointed at is fetched before it is pressed, unless the page is still being worked out.
document.addEventListener("pointerover", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest("section.board svg a,a[data-move],a[data-step]") ?? null;
  const url = site || event.pointerType === "touch" ? null : followed(link);
  if (!url || !document.querySelector("main[data-variant]:not([data-again])")) return;
  setTimeout(() => {
    if (link?.matches(":hover")) fetched(url.href).catch(() => {});
  }, 80);
});

addEventListener("popstate", () => {
  // To a place on the page that is shown already.
  if (!site && shown === location.pathname + location.search) return;
  void show(location.href, false);
});

/**
 * The documents of a text, one a line or one in all; none where it is another text.
 * @param {string} text
 * @returns {any[]}
 */
function documentsOf(text) {
  const lines = text.split("\n").filter((line) => line.trim());
  for (const parts of [lines, [text]]) {
    try {
      const documents = parts.map((part) => JSON.parse(part));
      return documents.every((one) => one?.schema === 2) ? documents : [];
    } catch {
      // Written over several lines, or no JSON at all.
    }
  }
  return [];
}

/**
 * What a review reads of the documents that `review`, `line` and `play` print: the first game, its variant, its
 * start and its moves alone. Any other text stays as it is.
 * @param {string} text
 */
function recordOf(text) {
  /** @type {any} */
  let game;
  /** @type {string[][]} */
  let plies = [];
  for (const one of documentsOf(text)) {
    const all = Array.isArray(one.plies) ? one.plies : null;
    const isPly = Number.isInteger(one.ply) && typeof one.move === "string";
    // What was taken back of a game that `play` told ply by ply.
    if (game && Number.isInteger(one.undone)) {
      if (one.undone > plies.length) game = { ...game, start: one.position };
      plies = plies.slice(0, Math.max(0, plies.length - one.undone));
      game.undone = true;
      continue;
    }
    if (!all && !isPly) continue;
    if (game && (all || (one.ply <= 1 && !game.undone))) break;
    game ??= { variant: one.variant, lights: one.lights, start: one.start ?? (all ? one.position : one.from) };
    game.undone = false;
    for (const ply of all ?? []) plies.push([...(ply.drawn ?? []), ply.move]);
    plies.push([...(isPly ? [one.move] : []), ...(one.drawn ?? [])]);
  }
  if (!game) return text;
  const heads = ["variant", "lights", "start"].filter((name) => typeof game[name] === "string");
  return [...heads.map((name) => `# ${name} ${game[name]}`), plies.flat().join(" ")].join("\n");
}

/** Makes a game that was pasted as short as it can be: whether the text can be sent. @param {HTMLFormElement} form */
function shortened(form) {
  const field = form.querySelector("textarea");
  const problem = /** @type {HTMLElement | null} */ (form.querySelector(".problem"));
  if (!field || !problem) return true;
  field.value = recordOf(field.value);
  const isLong = String(new URLSearchParams({ text: field.value })).length > Number(form.dataset.longest);
  problem.hidden = !isLong;
  const said = status();
  if (said && isLong) said.textContent = problem.textContent;
  return !isLong;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form instanceof HTMLFormElement && form.dataset.longest && !shortened(form)) {
    event.preventDefault();
    return;
  }
  const action = form instanceof HTMLFormElement ? form.getAttribute("action") : null;
  if (!site || !(form instanceof HTMLFormElement) || !action) return;
  event.preventDefault();
  const fields = new URLSearchParams();
  new FormData(form, event.submitter).forEach((value, name) => fields.append(name, String(value)));
  void show(new URL(`${action}?${fields}`, location.href).href, true);
});

addEventListener("resize", tellHeight);

/** Keys that step through the game. @type {Record<string, string>} */
const STEPS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
/** Keys of what is done with a position: the first of some links that is there. @type {Record<string, string[]>} */
const TOOLS = {
  // From figures to signs, to nothing, and round again.
  v: ["a[data-tool=signs][href*='values=signs']", "a[data-tool=hints]"],
  h: ["a[data-tool=heat]"],
  n: ["a[data-tool=next]"],
  u: ["a[data-tool=take-back]", "a[data-step=back]"],
};
/** Keys that turn to a neighbouring square, by how far in x and y. @type {Record<string, [number, number]>} */
const TURNS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("input,textarea,select")) return;
  const square = target?.closest("section.board svg a");
  const turn = TURNS[event.key];
  if (square && turn) {
    const next = neighbour(square, turn);
    if (next) {
      event.preventDefault();
      next.focus();
    }
    return;
  }
  if (event.key === "Escape") closeMenus();
  // Before a class the values come with the space bar, unless something is focused that it presses.
  if (event.key === " ") {
    if (showValues(target)) event.preventDefault();
    return;
  }
  if (event.key === "?") {
    event.preventDefault();
    void help();
    return;
  }
  const step = STEPS[event.key];
  const links = step ? [`[data-step="${step}"]`] : (TOOLS[event.key] ?? []);
  const link = links.map((selector) => document.querySelector(selector)).find((found) => found);
  if (link && followed(link)) {
    event.preventDefault();
    /** @type {HTMLElement} */ (link).click();
  }
});

// The same with a tap beside what can be pressed.
document.addEventListener("click", (event) => {
  if (matchMedia("(pointer:coarse)").matches && !event.defaultPrevented) {
    showValues(event.target instanceof Element ? event.target : null);
  }
});

/**
 * Shows or hides the values in the view for a class, unless something is pressed that does something else.
 * @param {Element | null} target
 */
function showValues(target) {
  const values = document.querySelector(".projector [data-tool=hints]");
  const address = values && !target?.closest("a,button,summary,dialog,label,input,select,textarea") ? followed(values) : null;
  if (address) void show(address.href, true, true);
  return Boolean(address);
}

/**
 * The nearest link of the board in a direction.
 * @param {Element} from
 * @param {[number, number]} turn
 * @returns {HTMLElement | null}
 */
function neighbour(from, [dx, dy]) {
  const middle = (/** @type {Element} */ one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const one of document.querySelectorAll("section.board svg a")) {
    const [ox, oy] = middle(one);
    const along = (ox - x) * dx + (oy - y) * dy;
    const across = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    if (one !== from && along > 4 && along + 3 * across < least) {
      least = along + 3 * across;
      best = one;
    }
  }
  return /** @type {HTMLElement | null} */ (best);
}

const PUZZLES = "greenwave-puzzles";
/** Most puzzles of which it is remembered that they were tried. */
const REMEMBERED = 400;
/**
 * @typedef {{solved: number, row: number, best: number, tried: string[], missed: string[], hinted: string[]}} Progress
 */
/** @type {Progress} */
const NO_PUZZLES = { solved: 0, row: 0, best: 0, tried: [], missed: [], hinted: [] };

/**
 * What is kept on this device about puzzles.
 * @returns {Progress}
 */
function puzzlesKept() {
  try {
    const kept = JSON.parse(localStorage.getItem(PUZZLES) ?? "{}");
    const count = (/** @type {unknown} */ value) => (Number.isInteger(value) ? Number(value) : 0);
    const list = (/** @type {unknown} */ value) => (Array.isArray(value) ? value.map(String) : []);
    const [tried, missed, hinted] = [list(kept.tried), list(kept.missed), list(kept.hinted)];
    return { solved: count(kept.solved), row: count(kept.row), best: count(kept.best), tried, missed, hinted };
  } catch {
    return NO_PUZZLES;
  }
}

/** @param {Progress} progress */
function keepPuzzles(progress) {
  try {
    localStorage.setItem(PUZZLES, JSON.stringify(progress));
  } catch {
    // Without storage nothing is counted.
  }
}

/** @param {Progress} progress */
function tellPuzzles(progress) {
  const place = document.querySelector("[data-puzzle]");
  const text = place?.querySelector("span");
  if (!(place instanceof HTMLElement) || !text) return;
  place.hidden = progress.solved + progress.row + progress.best === 0;
  const told = place.dataset.text ?? "";
  text.textContent = told
    .replace("{n}", String(progress.solved))
    .replace("{row}", String(progress.row))
    .replace("{best}", String(progress.best));
}

/**
 * Counts a puzzle the first time that it is solved, also after misses and a look at the solution, which end the row;
 * one with a hint is not counted in the row.
 */
function countPuzzle() {
  const place = document.querySelector("[data-puzzle]");
  if (!(place instanceof HTMLElement)) return;
  const state = place.dataset.puzzle;
  const key = place.dataset.key ?? "";
  const { solved, row, best, tried, missed, hinted } = puzzlesKept();
  const added = (/** @type {string[]} */ list) => (list.includes(key) ? list : [...list, key].slice(-REMEMBERED));
  let progress = { solved, row, best, tried, missed, hinted };
  if (place.hasAttribute("data-hinted")) progress.hinted = added(hinted);
  const isLost = state === "missed" || state === "shown";
  if (isLost && !tried.includes(key)) progress = { ...progress, row: 0, missed: added(missed) };
  if (state === "solved" && !tried.includes(key)) {
    const own = progress.hinted.includes(key) || missed.includes(key) ? 0 : 1;
    const now = row + own;
    progress = { ...progress, solved: solved + 1, row: now, best: Math.max(best, now), tried: added(tried) };
  }
  keepPuzzles(progress);
  // Without storage nothing has been counted.
  tellPuzzles(puzzlesKept());
}

/**
 * Shows a part of a picture `x` and `y` pixels of the screen from its place.
 * @param {SVGElement} part @param {number} x @param {number} y
 */
function shift(part, x, y) {
  const picture = part.ownerSVGElement;
  const scale = picture?.getScreenCTM()?.a || 1;
  part.style.transform = x || y ? `translate(${x / scale}px,${y / scale}px)` : "";
}

/** Lets the strip be dragged to the side where it is to lie. */
function prepareStrip() {
  const frame = document.querySelector("section.board svg .strip");
  const board = /** @type {SVGSVGElement | null | undefined} */ (frame?.closest("svg"));
  if (!frame || !board || !document.querySelector('[data-move^="slide-"]')) return;
  board.classList.add("strip-drag");
  let from = [0, 0];
  /** @type {DOMRect | null} */
  let start = null;
  // A finger that let the strip go has pressed no square, however little it moved.
  let wasDragged = false;
  const namespace = "http://www.w3.org/2000/svg";
  /** What travels with the pointer: the frame, its squares and their lights, over all else. */
  const lifted = document.createElementNS(namespace, "g");
  lifted.classList.add("lifted");
  /** Where the strip would land. */
  const landing = document.createElementNS(namespace, "rect");
  landing.classList.add("landing");
  /** Lifts the strip off the board. @param {DOMRect} strip */
  const lift = (strip) => {
    const parts = [...board.children].filter((part) => {
      const box = part.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const within = x > strip.left && x < strip.right && y > strip.top && y < strip.bottom;
      return within && box.width > 0 && part.matches("a,g,.strip");
    });
    for (const part of parts) {
      const copy = /** @type {Element} */ (part.cloneNode(true));
      const group = document.createElementNS(namespace, "g");
      // A copy is no link.
      if (copy.matches("a")) group.append(...[...copy.childNodes].filter((node) => node.nodeName !== "title"));
      else group.append(copy);
      lifted.append(group);
      part.classList.add("left");
    }
    board.append(landing, lifted);
  };
  const drop = () => {
    shift(lifted, 0, 0);
    lifted.replaceChildren();
    lifted.remove();
    landing.remove();
    for (const part of board.querySelectorAll(".left")) part.classList.remove("left");
  };
  /**
   * The side to which the strip is dragged, and the board without the strip. Beyond an edge of the board the place of
   * the pointer tells; else its way, wherever the strip was taken hold of.
   * @param {DOMRect} strip @param {number} px @param {number} py
   */
  const aim = (strip, px, py) => {
    const squares = [...board.querySelectorAll(".tile")]
      .filter((tile) => !tile.closest(".lifted"))
      .map((tile) => tile.getBoundingClientRect());
    const main = squares.filter(
      (box) =>
        box.left < strip.left - 1 || box.right > strip.right + 1 || box.top < strip.top - 1 || box.bottom > strip.bottom + 1,
    );
    const left = Math.min(...main.map((box) => box.left));
    const right = Math.max(...main.map((box) => box.right));
    const top = Math.min(...main.map((box) => box.top));
    const bottom = Math.max(...main.map((box) => box.bottom));
    const half = Math.min(strip.width, strip.height) / 2;
    const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
    const [fromX, fromY] = [strip.x + strip.width / 2, strip.y + strip.height / 2];
    /** Where the middle of the strip lies at each side. @type {Record<string, [number, number]>} */
    const middles = {
      N: [middleX, top - half],
      E: [right + half, middleY],
      S: [middleX, bottom + half],
      W: [left - half, middleY],
    };
    const sides = Object.keys(middles);
    const far = (/** @type {string} */ side) => Math.hypot(middles[side][0] - fromX, middles[side][1] - fromY);
    const own = sides.reduce((near, side) => (far(side) < far(near) ? side : near));
    const isBeyond = { N: py < top, E: px > right, S: py > bottom, W: px < left };
    const beyond = sides.filter((side) => side !== own && isBeyond[/** @type {"N"} */ (side)]);
    const [x, y] = [px - from[0], py - from[1]];
    /** How much of the way to a side the drag goes. @param {string} side */
    const along = (side) => ((middles[side][0] - fromX) * x + (middles[side][1] - fromY) * y) / far(side);
    const others = sides.filter((side) => side !== own);
    const aimed = others.reduce((best, side) => (along(side) > along(best) ? side : best));
    // A drag that is short, or away from the board, leaves the strip where it is.
    const side = beyond.length === 1 ? beyond[0] : along(aimed) > half ? aimed : own;
    return { side, left, right, top, bottom };
  };
  /** Shows where the strip would land. @param {DOMRect} strip @param {number} px @param {number} py */
  const light = (strip, px, py) => {
    const { side, left, right, top, bottom } = aim(strip, px, py);
    const link = document.querySelector(`[data-move="slide-${side}"]`);
    const { a: scale, e: left0, f: top0 } = board.getScreenCTM() ?? { a: 1, e: 0, f: 0 };
    const wide = Math.min(strip.width, strip.height);
    const away = wide / 4;
    const flat = side === "N" || side === "S";
    const width = flat ? right - left : wide;
    const height = flat ? wide : bottom - top;
    // All of it is to be seen, on a phone, too.
    const across = side === "E" ? Math.min(right + away, innerWidth - wide - 2) : Math.max(left - away - wide, 2);
    const x = flat ? left : across;
    const y = flat ? (side === "S" ? bottom + away : top - away - wide) : top;
    const values = { x: (x - left0) / scale, y: (y - top0) / scale, width: width / scale, height: height / scale, rx: 9 };
    for (const [name, value] of Object.entries(values)) landing.setAttribute(name, String(value));
    landing.classList.toggle("none", !link);
  };
  board.addEventListener("pointerdown", (event) => {
    wasDragged = false;
    const box = frame.getBoundingClientRect();
    const inside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    start = inside ? box : null;
    from = [event.clientX, event.clientY];
  });
  board.addEventListener("pointermove", (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    if (!lifted.isConnected) {
      // A press that moves a little is a press.
      if (Math.hypot(x, y) < 6) return;
      lift(start);
      board.setPointerCapture(event.pointerId);
    }
    shift(lifted, x, y);
    light(start, event.clientX, event.clientY);
  });
  // Nothing is scrolled while the strip is dragged.
  board.addEventListener("touchmove", (event) => start && event.preventDefault(), { passive: false });
  board.addEventListener("pointercancel", () => {
    start = null;
    drop();
  });
  board.addEventListener("dragstart", (event) => event.preventDefault());
  board.addEventListener(
    "click",
    (event) => {
      if (!wasDragged) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  board.addEventListener("pointerup", (event) => {
    const strip = lifted.isConnected ? start : null;
    start = null;
    if (!strip) return;
    drop();
    wasDragged = true;
    // Keys press no sooner than that.
    setTimeout(() => (wasDragged = false), 400);
    const { side } = aim(strip, event.clientX, event.clientY);
    const link = document.querySelector(`[data-move="slide-${side}"]`);
    const url = link ? followed(link) : null;
    if (url) void show(url.href, true);
  });
}

/** Lets the counters of the hand and of the market be dragged to the square that they are for. */
function prepareCounters() {
  for (const counter of /** @type {NodeListOf<SVGGElement>} */ (document.querySelectorAll("section.board svg .counter:not([data-pile=other])"))) {
    const light = counter.getAttribute("data-counter") ?? "";
    const ofMarket = counter.getAttribute("data-pile") === "market";
    /** @type {number[] | null} */
    let from = null;
    counter.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      counter.setPointerCapture(event.pointerId);
      event.preventDefault();
    });
    counter.addEventListener("pointermove", (event) => {
      if (from) shift(counter, event.clientX - from[0], event.clientY - from[1]);
    });
    // Nothing is scrolled while a counter is dragged.
    counter.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });
    counter.addEventListener("pointercancel", () => {
      from = null;
      shift(counter, 0, 0);
    });
    counter.addEventListener("pointerup", (event) => {
      shift(counter, 0, 0);
      if (!from) return;
      from = null;
      const under = document.elementsFromPoint(event.clientX, event.clientY);
      // The counter that is taken goes to the own hand; a mouse clicks it by itself.
      const take = ofMarket && counter.closest("a");
      const hand = document.querySelector("section.board svg .tray");
      if (take && under.some((element) => element === hand || element.closest("[data-pile=own]"))) {
        if (event.pointerType !== "mouse") take.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
        return;
      }
      const square = under.map((element) => element.closest("section.board svg a")).find((link) => link);
      const name = squareOf(square);
      if (!square || !name) return;
      // A counter of the market is the one that is taken for the one that is placed.
      const all = [...document.querySelectorAll(`[data-move^="${CSS.escape(name)}"]`)];
      const moves = all.filter((link) => {
        const text = link.getAttribute("data-move") ?? "";
        return ofMarket ? text.endsWith(`+${light}`) : text[name.length] === light;
      });
      const url = followed(moves.length === 1 ? moves[0] : square);
      if (!moves.length || !url) return;
      // The counter stays on its square until another one is taken.
      const rest = moves.every((link) => link.getAttribute("data-move")?.startsWith(`${name}${light}+`));
      const to = moves.length > 1 && !ofMarket && rest ? url.href.replace(`from=${name}`, `from=${name}${light}`) : url.href;
      void show(to, true);
    });
  }
}

/** Asks again where more is being found out, unless something else has been opened since. */
function askAgain() {
  const main = document.querySelector("main");
  const seconds = Number(main?.getAttribute("data-again"));
  if (!seconds) return;
  const here = location.href;
  const mine = latest;
  const further = main?.getAttribute("data-further");
  setTimeout(() => {
    if (mine !== latest || here !== location.href) return;
    kept.delete(here);
    void show(further ? new URL(further, here).href : here, false);
  }, seconds * 1000);
}

/** Draws the opening tree from here where the window has room for a third column; on a busy server after a while. */
async function prepareTree(tries = 6) {
  const place = document.querySelector("[data-tree]");
  const link = place?.querySelector("a");
  if (site || !place || !link || !matchMedia("(min-width:150rem)").matches) return;
  try {
    const { text } = await fetched(link.href);
    if (isWaiting(text) && tries) setTimeout(() => place.isConnected && void prepareTree(tries - 1), 4000);
    const graph = !isWaiting(text) && new DOMParser().parseFromString(text, "text/html").querySelector(".graph");
    if (graph && place.isConnected && !place.querySelector(".graph")) place.append(document.adoptNode(graph));
  } catch {
    // The link is there.
  }
}

/** Lights the way from the start to a position of the opening tree. @param {Element | null} node */
function lightWay(node) {
  for (const part of document.querySelectorAll(".graph .way")) part.classList.remove("way");
  let name = node?.getAttribute("data-node");
  const seen = new Set();
  while (name && !seen.has(name)) {
    seen.add(name);
    document.querySelector(`.graph a[data-node="${name}"]`)?.classList.add("way");
    const edge = document.querySelector(`.graph .edge:not(.merge)[data-to="${name}"]`);
    edge?.classList.add("way");
    name = edge?.getAttribute("data-from");
  }
}
for (const name of ["pointerover", "focusin"]) {
  document.addEventListener(name, ({ target }) => {
    if (!document.querySelector(".graph")) return;
    const node = target instanceof Element ? target.closest("[data-node]") : null;
    if (node || name === "pointerover") lightWay(node);
  });
}

// A file that is chosen fills its field, and is opened.
document.addEventListener("change", async ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== "file") return;
  const field = document.getElementById(target.dataset.fills ?? "");
  if (!(field instanceof HTMLTextAreaElement) || !target.files?.[0]) return;
  field.value = await target.files[0].text();
  field.form?.requestSubmit();
});

// Whoever presses a square to begin a game, or another game, plays at the level of the chosen card.
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "level") return;
  const form = target.closest("form.begin");
  const chosen = form?.querySelector("[data-level]");
  if (!form || !chosen) return;
  chosen.textContent = target.parentElement?.querySelector("strong")?.textContent ?? "";
  const games = [...document.querySelectorAll("main a[href]")].filter((link) =>
    /\/play(\?|$)/.test(link.getAttribute("href") ?? ""),
  );
  for (const link of [...form.querySelectorAll(".board a[href]"), ...games]) {
    const address = (link.getAttribute("href") ?? "").replace(/([?&])level=[^&#]*(&|$)/, "$1").replace(/[?&]$/, "");
    link.setAttribute("href", `${address}${address.includes("?") ? "&" : "?"}level=${target.value}`);
  }
});

/** Scrolls a chart that is wider than the window to the position shown. */
function scrollChart() {
  const mark = document.querySelector(".chart .here");
  const scroller = mark?.closest(".scroll");
  if (!mark || !scroller) return;
  const middle = scroller.getBoundingClientRect().left + scroller.clientWidth / 2;
  scroller.scrollLeft += mark.getBoundingClientRect().left - middle;
}

/** Folds the list of a tree, which stands below its drawing, where there is one. */
function fold() {
  const below = /** @type {HTMLDetailsElement | null} */ (document.querySelector("details[data-below]"));
  if (below && document.querySelector(".graph") && matchMedia("(min-width:40.01rem)").matches) below.open = false;
  below?.removeAttribute("data-below");
}

/** Opens what stands beside a position, where a third column has room for it. */
function unfold() {
  if (!matchMedia("(min-width:112rem)").matches) return;
  const found = document.querySelectorAll(".position:not(.at-play,.over) .more>details");
  for (const part of /** @type {NodeListOf<HTMLDetailsElement>} */ (found)) part.open = true;
}

function prepare() {
  askAgain();
  fold();
  unfold();
  scrollChart();
  void prepareTree();
  prepareSettings();
  if (hasWorker) for (const button of document.querySelectorAll("[data-keep]")) /** @type {HTMLElement} */ (button).hidden = false;
  if ("share" in navigator) for (const button of document.querySelectorAll("[data-share]")) /** @type {HTMLElement} */ (button).hidden = false;
  const copying = document.querySelectorAll("[data-copy],[data-copy-text],[data-copy-image]");
  for (const button of copying) /** @type {HTMLElement} */ (button).hidden = false;
  // What does nothing without a script.
  for (const part of document.querySelectorAll(".scripted[hidden]")) /** @type {HTMLElement} */ (part).hidden = false;
  tellHeight();
  prepareStrip();
  prepareCounters();
  countPuzzle();
  for (const picture of document.querySelectorAll("img[data-src]")) {
    const address = picture.getAttribute("data-src") ?? "";
    picture.removeAttribute("data-src");
    void site?.picture(address).then((data) => picture.setAttribute("src", data));
  }
}

/** The parameter that says how values are shown, by what was chosen. @type {Record<string, string[]>} */
const DENSITIES = { 0: ["hints", "0"], signs: ["values", "signs"] };
const chosen = hintsChosen() ?? "1";
if (site) {
  // A form that was sent before this script had come has its fields before the `#`.
  if (location.search && [...document.forms].some((form) => form.getAttribute("action") === location.hash))
    history.replaceState(null, "", location.pathname + location.hash + location.search);
  const here = document.body.getAttribute("data-here") ?? "#/";
  const language = LANGUAGES.includes(settings.lang) ? settings.lang : navigator.language;
  const other = !here.includes("lang=") && !language.startsWith(document.documentElement.lang);
  const wanted = document.querySelector("main[data-variant]") && !/hints=|values=/.test(here) && DENSITIES[chosen];
  if (location.hash.startsWith("#/") || other) void show(location.href, false);
  else if (wanted) void show(`${here}${here.includes("?") ? "&" : "?"}${wanted.join("=")}`, false);
} else {
  // What was chosen, where the page offers it and the address does not say it: all of it in one address.
  const asked = new URL(location.href).searchParams;
  let wanted = new URL(location.href);
  const offered = document.querySelector("[data-tool=lights]");
  if (offered && ["ryg", "gyr"].includes(settings.lights) && !asked.has("lights")) {
    const other = new URL(offered.getAttribute("href") ?? "", location.href);
    if (other.searchParams.get("lights") === settings.lights) wanted = other;
  }
  if (settings.heat === "on" && document.querySelector("[data-tool=heat]") && !asked.has("heat"))
    wanted.searchParams.set("heat", "1");
  const density = document.querySelector("main[data-variant]") && DENSITIES[chosen];
  if (density && !asked.has("hints") && !asked.has("values")) wanted.searchParams.set(density[0], density[1]);
  wanted.hash = location.hash;
  if (wanted.search !== location.search) {
    history.replaceState(null, "", wanted);
    void show(wanted.href, false);
  }
}
applySettings();
prepare();
