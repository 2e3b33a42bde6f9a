// Hostile pages through ingest, search and interface into the frame: no script runs, no request leaves.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, hostilePages, service, visit } from "./support.mjs";

let site, chrome;
before(async () => { [site, chrome] = await Promise.all([service(hostilePages()), browser()]); });
after(async () => { await chrome?.close(); await site?.stop(); });

/** Points at, clicks and focuses what there is in a frame or page. */
async function provoke(page, frame) {
  for (const target of (await frame.locator("a, img, p, summary, h1").all()).slice(0, 25)) {
    await target.hover({ timeout: 1000, force: true }).catch(() => {});
    await target.click({ timeout: 1000, force: true, noWaitAfter: true }).catch(() => {});
  }
  await page.waitForTimeout(150);
}

async function check(page, url) {
  assert.equal(await page.evaluate(() => globalThis.ran), undefined, `a script of ${url} ran`);
  for (const frame of page.frames()) {
    assert.equal(await frame.evaluate(() => globalThis.ran).catch(() => undefined), undefined, url);
  }
  assert.deepEqual(page.elsewhere, [], `requests of ${url}`);
  assert.deepEqual(page.errors, [], url);
}

for (const { url } of hostilePages()) {
  test(`nothing of ${url} runs or leaves`, async () => {
    const answer = await fetch(`${site.address}/v1/search?q=hostile&pages=50&collapse=none`);
    const found = (await answer.json()).pages.find((page) => page.url === url);
    assert.ok(found, "it is found");
    const page = await visit(chrome, site.address);
    await page.goto(`${site.address}/?q=hostile&pages=50`);
    await check(page, url);
    const own = `${site.address}/page/${found.page_id}`;
    await page.goto(`${own}?block=0&method=lopper&beside=bte`);
    await page.waitForLoadState("networkidle");
    const frame = page.frames().find((frame) => frame.url().includes("/frame"));
    assert.ok(await frame.locator("[data-run]").count() > 0, "the page is shown");
    await provoke(page, frame);
    await check(page, url);
    assert.equal(page.url().split("?")[0], own, "the page around the frame stays");
    assert.ok(page.frames().some((frame) => frame.url().includes("/frame")), "the frame stays");
    // The frame's address by itself, without our page around it.
    await page.goto(`${own}/frame`);
    await provoke(page, page.mainFrame());
    await check(page, url);
    await page.context().close();
  });
}

test("a hostile page that is pasted does not run either", async () => {
  for (const { url, html } of hostilePages()) {
    const page = await visit(chrome, site.address);
    await page.goto(`${site.address}/try`);
    await page.locator("#html").fill(html);
    await page.getByRole("button", { name: "Look at it" }).click();
    await page.locator(".screen iframe").waitFor();
    const frame = page.frames().find((frame) => frame !== page.mainFrame());
    await provoke(page, frame);
    await check(page, url);
    await page.context().close();
  }
});

test("the browser would run it, were it not kept from it", async () => {
  const page = await visit(chrome, site.address);
  const { html } = hostilePages().find(({ url }) => url.endsWith("attributes.html"));
  await page.route("**/*", (route) => route.fulfill({ contentType: "text/html", body: route.request().url().endsWith("/plain") ? html : "" }));
  await page.goto("http://plain.test/plain");
  await page.waitForTimeout(300);
  assert.notEqual(await page.evaluate(() => globalThis.ran), undefined, "the corpus is able to run scripts");
  assert.ok(page.elsewhere.some((url) => url.includes("leak.test")), "and to reach other hosts");
  await page.context().close();
});
