// @ts-check
/**
 * The explorer in a folder of files: the module in WebAssembly answers in place of a server, in a worker if
 * the browser can start one. Addresses stand behind the `#`.
 */

/** @typedef {{status: number, type: string, moved: string, text: string}} Reply */

/**
 * Answers with the module; it is complete in itself, so that its text can be that of a worker.
 * @param {string} packed the module, compressed by gzip, in base64
 */
function engine(packed) {
  /** @type {Promise<WebAssembly.Module> | undefined} */
  let compiled;
  /** @type {any} */
  let module;

  async function compile() {
    const bytes = Uint8Array.from(atob(packed), (one) => one.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(plain).arrayBuffer());
  }

  async function start() {
    compiled ??= compile();
    const now = () => performance.timeOrigin + performance.now();
    return (await WebAssembly.instantiate(await compiled, { env: { now } })).exports;
  }

  /** @param {string} request @returns {Promise<Reply>} */
  return async (request) => {
    const running = (module ??= await start());
    try {
      const bytes = new TextEncoder().encode(request);
      const room = running.request(bytes.length);
      new Uint8Array(running.memory.buffer, room, bytes.length).set(bytes);
      const length = running.answer();
      const answer = new TextDecoder().decode(new Uint8Array(running.memory.buffer, running.answered(), length));
      const [status, type, moved] = answer.split("\n", 3);
      return { status: Number(status), type, moved, text: answer.slice(status.length + type.length + moved.length + 3) };
    } catch (error) {
      // It ended in the middle of something, for want of memory as a rule: the next question has a new one.
      module = undefined;
      throw error;
    }
  };
}

/**
 * A question; of two for a page the later one counts.
 * @typedef {{request: string, isPage: boolean, resolve: (reply: Reply) => void, reject: (error: Error) => void}} Question
 */

/** Those that wait. @type {Question[]} */
let waiting = [];
/** The one that is being answered. @type {Question | undefined} */
let asked;
/** @type {((request: string) => Promise<Reply>) | undefined} */
let here;
/** @type {Worker | undefined} */
let worker;
let hasWorkers = true;

/** The answer to a question whose page has gone. @type {Reply} */
const DROPPED = { status: 204, type: "text/html", moved: "", text: "" };

/** The game that a question is about. @param {Question} question */
const game = ({ request }) => request.split(/[?\n]/, 1)[0].split("/")[1];

/** Milliseconds after which the work for a page that has gone is stopped. */
const SOON = 400;
/** The start of the question at work. */
let began = 0;

/** @param {Reply | null} reply @param {string} error */
function answered(reply, error) {
  const question = asked;
  asked = undefined;
  if (reply) question?.resolve(reply);
  else question?.reject(new Error(error));
  next();
}

/** A worker, or none where the browser starts none for files. */
function started() {
  if (worker || !hasWorkers) return worker;
  try {
    const text = `const answer=(${engine})("${ENGINE}");onmessage=async({data})=>{try{postMessage([await answer(data)])}catch(error){postMessage([null,String(error)])}}`;
    worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
    worker.onerror = () => {
      worker = undefined;
      hasWorkers = false;
      if (asked) waiting.unshift(asked);
      asked = undefined;
      next();
    };
    worker.onmessage = ({ data: [reply, error] }) => answered(reply, error);
  } catch {
    hasWorkers = false;
  }
  return worker;
}

/** Begins with the next question if none is being answered. */
function next() {
  if (asked || !waiting.length) return;
  asked = waiting.shift();
  began = performance.now();
  const request = asked?.request ?? "";
  const doing = started();
  if (doing) doing.postMessage(request);
  else
    setTimeout(() => {
      const answer = (here ??= engine(ENGINE));
      answer(request).then((reply) => answered(reply, ""), (error) => answered(null, String(error)));
    });
}

/**
 * Asks. A question of another page is dropped, and stopped if it is about another game: its solve
 * would be of no use.
 * @param {string} request
 * @param {boolean} isPage
 * @returns {Promise<Reply>}
 */
function ask(request, isPage) {
  return new Promise((resolve, reject) => {
    /** @type {Question} */
    const question = { request, isPage, resolve, reject };
    if (isPage) {
      for (const old of waiting) if (old.isPage) old.resolve(DROPPED);
      waiting = waiting.filter((old) => !old.isPage);
      const old = asked;
      if (old?.isPage && game(old) !== game(question))
        setTimeout(() => {
          if (asked !== old || !worker) return;
          worker.terminate();
          worker = undefined;
          asked = undefined;
          old.resolve(DROPPED);
          next();
        }, began + SOON - performance.now());
    }
    waiting.push(question);
    next();
  });
}

/** The language that was chosen on this device, if one was. @returns {string[]} */
function keptLanguage() {
  try {
    const { lang } = JSON.parse(localStorage.getItem("greenwave-settings") ?? "{}");
    return ["en", "pt", "es", "de"].includes(lang) ? [lang] : [];
  } catch {
    return [];
  }
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** Answers the script of the pages where there is no server. */
globalThis.greenwaveSite = {
  /**
   * The page behind the `#` of an address.
   * @param {string} address
   * @returns {Promise<{text: string, url: string, moved: boolean, kept: boolean}>}
   */
  async page(address) {
    let hash = new URL(address, location.href).hash;
    if (!hash.startsWith("#/")) hash = document.body.getAttribute("data-here") ?? "#/";
    const own = location.href.split("#")[0];
    const languages = [...keptLanguage(), ...navigator.languages].join(",");
    let moved = false;
    for (let step = 0; step < 5; step++) {
      let reply;
      try {
        reply = await ask(`${hash.slice(1)}\n${own}\n${languages}`, true);
      } catch (error) {
        const text = `<main id="main"><p class="problem" role="alert">${escaped(String(error))}</p><p><a href="#/">Greenwave</a></p></main>`;
        return { text, url: hash, moved, kept: false };
      }
      if (reply.moved) {
        moved = true;
        hash = reply.moved;
        continue;
      }
      let text = reply.text;
      if (reply.type === "image/svg+xml") text = `<main id="main">${text}</main>`;
      else if (!reply.type.startsWith("text/html")) text = `<main id="main"><pre>${escaped(text)}</pre></main>`;
      return { text, url: hash, moved, kept: reply.status === 200 && !moved };
    }
    return { text: "", url: hash, moved, kept: false };
  },
  /**
   * A picture as an address of its own.
   * @param {string} address
   */
  async picture(address) {
    const own = location.href.split("#")[0];
    const reply = await ask(`${address.replace(/^#/, "")}\n${own}\n`, false);
    return `data:${reply.type},${encodeURIComponent(reply.text)}`;
  },
};
