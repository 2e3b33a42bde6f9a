// A service with pages of its own, and a browser.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const here = new URL(".", import.meta.url).pathname;
export const repository = join(here, "../..");
const lopper = process.env.LOPPER ?? join(repository, "target/release/lopper");

/** A WARC file of pages, `{url, html, day}`, and of what belongs to them, `{url, type, body, day}`. */
export function warc(records) {
  return Buffer.concat(records.flatMap(({ url, html, type = "text/html", body = html, day = "2020-01-01" }) => {
    const block = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n\r\n`), Buffer.from(body)]);
    const head = `WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: ${url}\r\nWARC-Date: ${day}T12:00:00Z`;
    return [Buffer.from(`${head}\r\nContent-Length: ${block.length}\r\n\r\n`), block, Buffer.from("\r\n\r\n")];
  }));
}

/** A picture of one pixel. */
const pixel = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><script>globalThis.ran = 1</script></svg>`;

/** The pages of tests/hostile. */
export function hostilePages() {
  const folder = join(repository, "tests/hostile");
  const names = readdirSync(folder).filter((name) => name.endsWith(".html"));
  return names.map((name) => ({ url: `http://hostile.test/${name}`, html: readFileSync(join(folder, name), "utf8") }));
}

const mill = (year, text) => ({
  url: "http://mill.test/",
  day: `${year}-05-01`,
  html: `<!doctype html><html lang=en><title>Water mills</title><style>h1{letter-spacing:1px}</style>
    <nav><a href=/shop>Shop for gifts</a> <a href=/jobs>Jobs at our office</a></nav><main><h1>Water mills</h1>
    <p>A water mill grinds grain with the power of a river, and has done so for two thousand years.</p>
    <p>${text}</p></main><footer><p>Call us for a table</p></footer>`,
});

/** Pages of our own: captures over time, right-to-left and CJK text, and one with pictures and a style sheet. */
export const ownPages = [
  mill(2010, "The mill at the weir is closed for repairs, since its wheel broke in the flood of last winter."),
  mill(2012, "The mill at the weir is open again, since its wheel was mended after the flood of that winter."),
  {
    url: "http://arabic.test/", day: "2011-03-01",
    html: `<!doctype html><html lang=ar dir=rtl><title>الطاحونة القديمة</title><main><h1>الطاحونة القديمة</h1>
      <p>الطاحونة القديمة على ضفة النهر تطحن القمح منذ سنوات طويلة، وما زال الناس يأتون إليها كل صباح.</p></main>`,
  },
  {
    url: "http://japanese.test/", day: "2013-03-01",
    html: `<!doctype html><html lang=ja><title>水車の歴史</title><main><h1>水車の歴史</h1>
      <p>川のほとりの古い水車は、長い間ゆっくりと穀物をひいてきました。今でも毎朝たくさんの人が見に来ます。</p></main>`,
  },
  {
    url: "http://pictures.test/a/", day: "2014-03-01",
    html: `<!doctype html><html lang=en><title>Lighthouses</title><link rel=stylesheet href=/style.css><main><h1>Lighthouses</h1>
      <p>A lighthouse of white stone stands on the rock, and its lamp is seen from ships far out on the sea.</p>
      <img id=kept src=lamp.png alt="The lamp"><img id=missing src=gone.png alt="The rock">
      <img id=drawing src=plan.svg alt="The plan"><img id=page src=/other alt="No picture"><img id=false src=false.png alt="False"></main>`,
  },
  { url: "http://pictures.test/a/lamp.png", type: "image/png", body: pixel },
  { url: "http://pictures.test/a/plan.svg", type: "image/svg+xml", body: drawing },
  { url: "http://pictures.test/a/false.png", type: "image/png", body: drawing },
  { url: "http://pictures.test/style.css", type: "text/css", body: "h1 { color: rgb(1, 2, 3); background: url(http://leak.test/x) }" },
];

/** Starts the program and waits for the address that it tells. */
async function start(args) {
  const child = spawn(lopper, args, { stdio: ["ignore", "pipe", "inherit"] });
  let said = "";
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      said += data;
      const found = said.match(/Search page: (http:\/\/[^/]+)\//);
      if (found) resolve(found[1]);
    });
    child.on("exit", (code) => reject(new Error(`lopper ended with ${code}: ${said}`)));
  });
  return { address, child };
}

/** A service of these pages, or of the demo's where there are none. */
export async function service(pages) {
  const folder = mkdtempSync(join(tmpdir(), "lopper-browser-"));
  let started;
  if (pages) {
    const archive = join(folder, "pages.warc");
    writeFileSync(archive, warc(pages));
    const data = join(folder, "data");
    const ingested = spawnSync(lopper, ["ingest", "--data", data, "--bodies", "keep", archive], { encoding: "utf8" });
    if (ingested.status !== 0) throw new Error(ingested.stderr);
    started = await start(["serve", "--data", data, "--listen", "127.0.0.1:0"]);
  } else {
    started = await start(["demo", "--listen", "127.0.0.1:0"]);
  }
  const { address, child } = started;
  return {
    address,
    async pageId(query) {
      const answer = await (await fetch(`${address}/v1/search?q=${encodeURIComponent(query)}`)).json();
      return answer.pages[0].page_id;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.removeAllListeners("exit");
      child.once("exit", () => rmSync(folder, { recursive: true, force: true }));
      child.kill("SIGINT");
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 6000).unref())]);
    },
  };
}

export const browser = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
});

/** A page of a browser that fails on errors of scripts, and remembers requests to elsewhere. */
export async function visit(browser, address, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  // While one works on them: style sheet and scripts of the source folder, not those that the program was built with.
  if (process.env.LOPPER_WEB) {
    await context.route(/\/(style\.css|[a-z]+\.js)$/, (route) =>
      route.fulfill({ path: join(repository, "web", new URL(route.request().url()).pathname) }));
  }
  const page = await context.newPage();
  page.errors = [];
  page.elsewhere = [];
  page.on("pageerror", (error) => page.errors.push(error.message));
  page.on("dialog", (dialog) => { page.errors.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && origin !== address) page.elsewhere.push(request.url());
  });
  return page;
}
