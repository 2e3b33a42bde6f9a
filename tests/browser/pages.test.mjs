// The pages as people use them, with scripts and without.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browser, ownPages, service, visit, warc } from "./support.mjs";

let demo, own, chrome;
before(async () => { [demo, own, chrome] = await Promise.all([service(), service(ownPages), browser()]); });
after(async () => { await chrome?.close(); await demo?.stop(); await own?.stop(); });

const clean = (page) => {
  assert.deepEqual(page.errors, []);
  assert.deepEqual(page.elsewhere, []);
};

const frameOf = (page) => page.frames().find((frame) => frame.url().includes("/frame"));

test("words are suggested as one types", async () => {
  const page = await visit(chrome, demo.address);
  await page.goto(demo.address);
  const field = page.getByRole("combobox");
  await field.pressSequentially("modera");
  await page.getByRole("option").first().waitFor();
  assert.equal(await field.getAttribute("aria-expanded"), "true");
  await field.press("ArrowDown");
  assert.match(await field.inputValue(), /^modera/);
  assert.notEqual(await field.inputValue(), "modera");
  await field.press("Escape");
  assert.equal(await field.inputValue(), "modera");
  assert.equal(await page.getByRole("listbox").isVisible(), false);
  await field.pressSequentially("t");
  await page.getByRole("option").first().waitFor();
  await field.press("ArrowDown");
  await field.press("Enter");
  await page.locator("ol.pages").waitFor();
  clean(page);
  await page.context().close();
});

test("results come without a reload, and the way back is there", async () => {
  const page = await visit(chrome, demo.address);
  await page.goto(demo.address);
  await page.evaluate(() => { globalThis.same = true; });
  await page.keyboard.press("/");
  await page.getByRole("combobox").fill("cookies policy");
  await page.keyboard.press("Enter");
  await page.locator("ol.pages .page").first().waitFor();
  assert.match(page.url(), /\?q=cookies\+policy$/);
  await page.getByText("Type", { exact: true }).click();
  const value = page.locator("details[open] .panel li a").first();
  const name = await value.textContent();
  await value.click();
  await page.locator(".chip").waitFor();
  assert.match(await page.locator(".chip").textContent(), new RegExp(`type: ${name}`));
  await page.getByText("Type", { exact: true }).click();
  await page.locator(".panel [aria-current]").click();
  await page.locator(".chip").waitFor({ state: "detached" });
  await page.goBack();
  await page.locator(".chip").waitFor();
  assert.equal(await page.evaluate(() => globalThis.same), true, "nothing was loaded anew");
  await page.locator(".page h2 a").first().click();
  await page.waitForURL(/\/page\//);
  assert.match(await page.locator("#q").inputValue(), /cookies policy/, "the query stays");
  await page.goBack();
  await page.locator("ol.pages .page").first().waitFor();
  clean(page);
  await page.context().close();
});

test("an answer that fails or is slow says so", async () => {
  const page = await visit(chrome, demo.address);
  await page.goto(`${demo.address}/?q=cookies`);
  await page.route("**/?q=*", (route) => route.abort());
  await page.getByRole("combobox").fill("policy");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  await page.unroute("**/?q=*");
  await page.route("**/?q=*", async (route) => { await new Promise((resolve) => setTimeout(resolve, 900)); await route.continue(); });
  await page.getByRole("button", { name: "Try again" }).click();
  await page.locator("body.waiting").waitFor();
  await page.locator("body:not(.waiting) ol.pages").waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  assert.match(await page.locator("#q").inputValue(), /policy/);
  await page.context().close();
});

test("a query that is misspelt, a range of days, more like this, a citation", async () => {
  const page = await visit(chrome, demo.address, { permissions: ["clipboard-read", "clipboard-write"] });
  await page.goto(`${demo.address}/?q=mooderation`);
  assert.match(await page.locator(".note").textContent(), /searched for moderation instead/);
  await page.goto(`${demo.address}/?q=data+portal`);
  await page.getByText("Year", { exact: true }).click();
  await page.getByLabel("from").fill("2013");
  await page.getByLabel("to").fill("2014-12");
  await page.getByRole("button", { name: "Set" }).click();
  await page.locator(".chip", { hasText: "date: 2013..2014-12" }).waitFor();
  await page.getByRole("link", { name: "More like this" }).first().click();
  await page.locator(".chip", { hasText: "like" }).waitFor();
  await page.getByText("Cite", { exact: true }).first().click();
  await page.getByRole("button", { name: "Copy" }).first().click();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /data\.gov\.uk.*Captured .* 2014/);
  clean(page);
  await page.context().close();
});

test("the slider and the methods decide in the page, without asking", async () => {
  const page = await visit(chrome, demo.address);
  const id = await demo.pageId("which cookies does the site set");
  await page.goto(`${demo.address}/page/${id}?block=0`);
  await page.waitForLoadState("networkidle");
  const frame = frameOf(page);
  const tinted = () => frame.locator("[data-fate=drop]").count();
  const share = async () => Number((await page.locator(".kept-share b").textContent()).replace(/\D/g, ""));
  assert.ok(await frame.locator("[data-found]").first().isVisible());
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.locator(".methods").getByText("Lopper’s model").click();
  let before = 101;
  for (const least of [0, 20, 50, 80, 100]) {
    await page.getByRole("slider").fill(String(least));
    const now = await share();
    assert.ok(now <= before, `${now} % at ${least} after ${before} %`);
    before = now;
  }
  assert.ok(await tinted() > 0);
  await page.getByRole("slider").fill("0");
  assert.deepEqual([await tinted(), await share()], [0, 100]);
  await page.locator(".methods").getByText("Similarity").click();
  await page.getByRole("slider").fill("100");
  assert.ok(await tinted() > 0);
  assert.deepEqual(requests, [], "no request a step");
  await page.locator(".methods").getByText("BTE", { exact: true }).click();
  await page.getByLabel("Compare with").selectOption("full-text");
  await page.locator(".agreement b").waitFor();
  assert.equal(await page.locator(".agreement b").textContent(), await page.locator(".kept-share b").textContent(), "full text keeps all");
  assert.ok(await frame.locator("[data-fate=second]").count() > 0);
  assert.equal(requests.length, 1, "the methods were asked for once");
  assert.match(page.url(), /method=bte&beside=full-text/);
  await page.reload({ waitUntil: "networkidle" });
  assert.ok(await frameOf(page).locator("[data-fate=second]").count() > 0, "the address tells what is shown");
  clean(page);
  await page.context().close();
});

test("a part tells what speaks for it, and tree and page are in step", async () => {
  const page = await visit(chrome, demo.address);
  const id = await demo.pageId("which cookies does the site set");
  await page.goto(`${demo.address}/page/${id}`, { waitUntil: "networkidle" });
  const frame = frameOf(page);
  await frame.locator("p[data-run]").first().hover();
  const detail = page.locator(".detail");
  for (const part of ["Similarity to the topic", "Content, says the model", "What the model looked at most"]) {
    await detail.getByText(part).waitFor();
  }
  await frame.locator("p[data-run]").nth(1).click();
  await page.locator(".tree .here").waitFor();
  assert.ok(await page.locator(".tree .here").isVisible(), "the tree opens to it");
  await page.locator(".tree summary").first().focus();
  await page.keyboard.press("ArrowDown");
  assert.ok(await frame.locator("[data-lit]").count() > 0, "the keyboard lights parts of the page");
  clean(page);
  await page.context().close();
});

test("captures over time, and what changed", async () => {
  const page = await visit(chrome, own.address);
  const id = await own.pageId("mill wheel date:2012");
  await page.goto(`${own.address}/page/${id}`);
  await page.locator(".captures summary").click();
  await page.getByRole("link", { name: "what changed" }).click();
  await page.locator(".changes").waitFor();
  assert.match(await page.locator(".changes .removed").textContent(), /closed for repairs/);
  assert.match(await page.locator(".changes .added").textContent(), /open again/);
  clean(page);
  await page.context().close();
});

test("a page that is pasted or uploaded is looked at and not stored", async () => {
  const page = await visit(chrome, own.address);
  for (const fill of [
    (html) => page.locator("#html").fill(html),
    (html) => page.locator("#file").setInputFiles({ name: "a.html", mimeType: "text/html", buffer: Buffer.from(html) }),
  ]) {
    await page.goto(`${own.address}/try`);
    await fill("<title>Pasted</title><nav><a href=/>Home</a> <a href=/b>Jobs</a></nav><h1>Pasted</h1><p>One zeppelin flies over the harbour, slowly.</p>");
    await page.getByRole("button", { name: "Look at it" }).click();
    await page.locator(".screen iframe").waitFor();
    const frame = page.frames().find((frame) => frame !== page.mainFrame());
    assert.ok(await frame.getByText("One zeppelin").isVisible());
    await page.locator(".methods").getByText("Lopper’s model").click();
    await page.getByRole("slider").fill("100");
    assert.ok(await frame.locator("[data-fate=drop]").count() > 0, "the slider works there, too");
  }
  const found = await (await fetch(`${own.address}/v1/search?q=zeppelin`)).json();
  assert.equal(found.total_blocks, 0);
  clean(page);
  await page.context().close();
});

test("an archive is sent, its records are looked at, and its pages are deleted", async () => {
  const page = await visit(chrome, own.address);
  await page.goto(`${own.address}/ingest`);
  const airship = { url: "http://airship.test/", html: "<title>Airships</title><h1>Airships</h1><p>One airship flies over the harbour, slowly.</p>" };
  await page.locator("#archive").setInputFiles({ name: "airship.warc", mimeType: "application/gzip", buffer: warc([airship]) });
  await page.getByText(/Done in .*: 1 new page,/).waitFor();
  await page.goto(`${own.address}/?q=airship`);
  await page.locator(".page h2", { hasText: "Airships" }).waitFor();
  await page.goto(`${own.address}/ingest`);
  await page.getByRole("row", { name: /airship\.warc/ }).getByRole("link", { name: "1", exact: true }).click();
  await page.getByRole("link", { name: "page", exact: true }).waitFor();
  await page.getByText("Delete pages").click();
  await page.getByPlaceholder("example.org").fill("airship.test");
  await page.getByRole("button", { name: "Count" }).click();
  await page.getByRole("button", { name: "Delete 1 page" }).click();
  await page.getByText(/1 page deleted/).waitFor();
  await page.goto(`${own.address}/?q=airship`);
  await page.getByText("Nothing found").waitFor();
  await page.locator("#q").fill("");
  await page.goto(`${own.address}/ingest`);
  await page.locator("#archive").setInputFiles({ name: "noise.warc", mimeType: "application/gzip", buffer: Buffer.from("no archive at all") });
  await page.getByText(/Done in|Stopped/).first().waitFor();
  clean(page);
  await page.context().close();
});

test("an archive is sent and pages are deleted without scripts, too", async () => {
  const page = await visit(chrome, own.address, { javaScriptEnabled: false });
  await page.goto(`${own.address}/ingest`);
  const balloon = { url: "http://balloon.test/", html: "<title>Balloons</title><h1>Balloons</h1><p>One balloon drifts over the harbour, slowly.</p>" };
  await page.locator("#archive").setInputFiles({ name: "balloon.warc", mimeType: "application/gzip", buffer: warc([balloon]) });
  await page.getByRole("button", { name: "Add it" }).click();
  await page.waitForURL(/\/ingest$/);
  const job = page.locator(".job", { hasText: "balloon.warc" });
  while (!(await job.getByText(/Done in/).count())) {
    assert.equal(await job.getByText(/Stopped/).count(), 0);
    await page.waitForTimeout(100);
    await page.goto(`${own.address}/ingest`);
  }
  await page.getByText("Delete pages").click();
  await page.getByPlaceholder("example.org").fill("balloon.test");
  await page.getByRole("button", { name: "Count" }).click();
  await page.getByText(/That is 1 page/).waitFor();
  const found = async () => (await (await fetch(`${own.address}/v1/search?q=balloon`)).json()).total_blocks;
  assert.equal(await found(), 1, "a count deletes nothing");
  await page.getByRole("button", { name: "Delete 1 page" }).click();
  await page.getByText(/1 page deleted; takedown \d+ keeps them out/).waitFor();
  assert.equal(await found(), 0);
  for (const headers of [{}, { origin: "http://evil.test" }]) {
    const form = new FormData();
    form.append("archive", new Blob([warc([balloon])]), "again.warc");
    const answer = await fetch(`${own.address}/ingest`, { method: "POST", body: form, headers, redirect: "manual" });
    assert.equal(answer.status, 403, "forms of others are not taken");
  }
  clean(page);
  await page.context().close();
});

test("pictures and style sheets of the same archive are shown", async () => {
  const page = await visit(chrome, own.address);
  await page.goto(`${own.address}/page/${await own.pageId("lighthouse")}`, { waitUntil: "networkidle" });
  const frame = frameOf(page);
  const width = (id) => frame.locator(`#${id}`).evaluate((image) => image.naturalWidth);
  assert.equal(await width("kept"), 1, "the picture is there");
  for (const id of ["missing", "drawing", "page", "false"]) assert.equal(await width(id), 0, id);
  for (const id of ["missing", "drawing", "page"]) assert.equal(await frame.locator(`#${id}`).getAttribute("src"), null, id);
  const style = await frame.locator("h1").evaluate((heading) => [getComputedStyle(heading).color, getComputedStyle(heading).backgroundImage]);
  assert.deepEqual(style, ["rgb(1, 2, 3)", "none"]);
  const address = await frame.locator("#kept").evaluate((image) => image.src);
  const picture = await fetch(address);
  assert.equal(picture.headers.get("content-type"), "image/png");
  assert.match(picture.headers.get("content-security-policy"), /default-src 'none'; sandbox/);
  assert.equal(picture.headers.get("x-content-type-options"), "nosniff");
  for (const other of ["http://pictures.test/a/false.png", "http://pictures.test/a/plan.svg", "http://pictures.test/a/", "file:///etc/passwd", ""]) {
    const answer = await fetch(`${address.split("?")[0]}?url=${encodeURIComponent(other)}`);
    assert.equal(answer.status, 404, other);
  }
  clean(page);
  await page.context().close();
});

test("text from right to left and without spaces is set as it is written", async () => {
  const page = await visit(chrome, own.address);
  await page.goto(`${own.address}/?q=${encodeURIComponent("الطاحونة")}`);
  const snippet = page.locator(".snippet").first();
  assert.equal(await snippet.evaluate((element) => getComputedStyle(element).direction), "rtl");
  await page.goto(`${own.address}/?q=${encodeURIComponent("水車")}`);
  assert.ok(await page.locator(".snippet mark").count() > 0);
  clean(page);
  await page.context().close();
});

test("all of it works without scripts", async () => {
  const page = await visit(chrome, demo.address, { javaScriptEnabled: false });
  await page.goto(demo.address);
  await page.locator("#q").fill("cookies policy");
  await page.getByRole("button", { name: "Search" }).click();
  await page.locator("ol.pages .page").first().waitFor();
  await page.getByText("Type", { exact: true }).click();
  await page.locator("details[open] .panel li a").first().click();
  await page.locator(".chip").click();
  await page.getByText("Why this?").first().click();
  assert.ok(await page.locator(".why dl").first().isVisible());
  await page.getByRole("link", { name: "See it in the page" }).first().click();
  const frame = page.frameLocator(".screen iframe");
  await frame.locator("[data-found]").first().waitFor();
  await page.locator(".methods").getByText("Lopper’s model").click();
  await page.getByLabel("Compare with").selectOption("full-text");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/method=lopper/);
  assert.ok(await frame.locator("[data-fate=second]").count() > 0);
  assert.match(await page.locator(".shares").textContent(), /the two agree on/);
  const missing = await page.goto(`${demo.address}/nowhere`);
  assert.equal(missing.status(), 404);
  assert.match(await page.locator("h1").textContent(), /Not found/);
  await page.goto(`${demo.address}/try`);
  await page.locator("#html").fill("<title>Pasted</title><h1>Pasted</h1><p>One zeppelin flies over the harbour, slowly.</p>");
  await page.getByRole("button", { name: "Look at it" }).click();
  await page.frameLocator(".screen iframe").getByText("One zeppelin").waitFor();
  await page.locator(".methods").getByText("Full text").click();
  await page.getByRole("button", { name: "Show" }).click();
  await page.locator("input[value=full-text]:checked").waitFor({ state: "attached" });
  await page.frameLocator(".screen iframe").getByText("One zeppelin").waitFor();
  assert.deepEqual(page.elsewhere, []);
  await page.context().close();
});

test("pages fit on a narrow screen", async () => {
  const found = await (await fetch(`${demo.address}/v1/search?q=cookies`)).json();
  for (const javaScriptEnabled of [true, false]) {
    const page = await visit(chrome, demo.address, { javaScriptEnabled, viewport: { width: 320, height: 700 } });
    const own = `/page/${found.pages[0].page_id}`;
    for (const path of ["/", "/?q=cookies", own, `${own}?method=lopper&beside=bte`, "/try", "/ingest", "/nowhere"]) {
      await page.goto(demo.address + path);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, path);
    }
    await page.context().close();
  }
});

test("a menu leads to the same query in other collections", async () => {
  const send = (path, body) =>
    fetch(own.address + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  assert.equal((await send("/v1/collections", { name: "weirs" })).status, 201);
  const html = "<title>Weirs</title><main><h1>Weirs</h1><p>A weir at the mill keeps the water of the river back.</p></main>";
  assert.equal((await send("/v1/c/weirs/pages", { url: "http://weirs.test/", html })).status, 201);
  const page = await visit(chrome, own.address);
  await page.goto(`${own.address}/?q=mill`);
  await page.locator(".collections summary").click();
  await page.getByRole("link", { name: "weirs" }).click();
  await page.waitForURL(`${own.address}/c/weirs/?q=mill`);
  assert.equal(await page.locator("li.page").count(), 1);
  await page.getByRole("link", { name: "See it in the page" }).click();
  await page.waitForURL(/\/c\/weirs\/page\//);
  assert.match(await frameOf(page).locator("p").first().textContent(), /keeps the water/);
  // Searching and completing stay in the collection.
  await page.locator("#q").fill("wei");
  await page.locator(".suggestions [role=option]").first().waitFor();
  await page.locator("#q").fill("weir");
  await page.locator("#q").press("Enter");
  await page.waitForURL(`${own.address}/c/weirs/?q=weir`);
  assert.equal(await page.locator("li.page").count(), 1);
  clean(page);
  await page.context().close();
});
