// Asks the module of the site, as its pages do, and prints the answer:
//
//   cargo build --profile site --target wasm32-unknown-unknown --package greenwave-site
//   node crates/site/examples/ask.mjs target/wasm32-unknown-unknown/site/greenwave_site.wasm \
//     "/api/v1/query?variant=classic-3x3&position=R../.Y./..G"
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";

const [file, address = "/api/v1/query?variant=classic-3x3"] = process.argv.slice(2);
if (!file) {
  console.error("usage: node ask.mjs MODULE.wasm [ADDRESS]");
  process.exit(2);
}
const now = () => performance.timeOrigin + performance.now();
const { instance } = await WebAssembly.instantiate(await readFile(file), { env: { now } });
const { memory, request, answer, answered } = instance.exports;

// The requested address, that of the page, and the languages that its reader knows.
const question = new TextEncoder().encode([address, "http://localhost/", "en"].join("\n"));
const room = request(question.length);
new Uint8Array(memory.buffer, room, question.length).set(question);
const length = answer();
const text = new TextDecoder().decode(new Uint8Array(memory.buffer, answered(), length));

// Status, media type and where to go instead, each in a line, then the body.
const [status, type, moved] = text.split("\n", 3);
const body = text.slice(status.length + type.length + moved.length + 3);
console.log(body.trimEnd());
process.exitCode = status === "200" ? 0 : 1;
