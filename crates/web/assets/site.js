// @ts-check
/**
 * The explorer in a folder of files: what a server would answer is asked of the module in WebAssembly, in a
 * worker where the browser lets one be started. Addresses stand behind the `#`.
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

/** Questions that the worker has not answered, by number. @type {Map<number, {request: string, resolve: Function, reject: Function}>} */
const open = new Map();
let asked = 0;
/** @type {((request: string) => Promise<Reply>) | undefined} */
let here;
/** @type {Worker | undefined} */
let worker;

/** Answers on this page from now on, and first what the worker did not. */
function withoutWorker() {
  worker = undefined;
  const answer = (here ??= engine(ENGINE));
  for (const { request, resolve, reject } of open.values()) answer(request).then(resolve, reject);
  open.clear();
}

try {
  const text = `const answer=(${engine})("${ENGINE}");onmessage=async({data:[number,request]})=>{try{postMessage([number,await answer(request)])}catch(error){postMessage([number,null,String(error)])}}`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  worker = new Worker(address);
  worker.onerror = withoutWorker;
  worker.onmessage = ({ data: [number, reply, error] }) => {
    const question = open.get(number);
    open.delete(number);
    if (reply) question?.resolve(reply);
    else question?.reject(new Error(error));
  };
} catch {
  // Some browsers start no worker for files.
}

/** @param {string} request @returns {Promise<Reply>} */
function ask(request) {
  return new Promise((resolve, reject) => {
    const number = ++asked;
    open.set(number, { request, resolve, reject });
    if (worker) worker.postMessage([number, request]);
    else setTimeout(withoutWorker);
  });
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

/** What the script of the pages asks where there is no server. */
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
    const languages = navigator.languages.join(",");
    let moved = false;
    for (let step = 0; step < 5; step++) {
      let reply;
      try {
        reply = await ask(`${hash.slice(1)}\n${own}\n${languages}`);
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
    const reply = await ask(`${address.replace(/^#/, "")}\n${own}\n`);
    return `data:${reply.type},${encodeURIComponent(reply.text)}`;
  },
};
