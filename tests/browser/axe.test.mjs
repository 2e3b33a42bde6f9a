// Every page in both themes by the rules of axe-core.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { browser, ownPages, service, visit } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let demo, own, chrome;
before(async () => { [demo, own, chrome] = await Promise.all([service(), service(ownPages), browser()]); });
after(async () => { await chrome?.close(); await demo?.stop(); await own?.stop(); });

/** Rule, place and advice of each violation. */
async function violations(page) {
  // Through the debugger, which our policy does not bind; nothing is loaded.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { iframes: false }));
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`));
}

for (const colorScheme of ["light", "dark"]) {
  for (const width of [1280, 360]) {
    test(`no page breaks a rule in the ${colorScheme}, ${width} px wide`, async () => {
      const page = await visit(chrome, demo.address, { colorScheme, viewport: { width, height: 900 } });
      const cookies = await demo.pageId("cookies");
      const mills = await own.pageId("mill wheel date:2012");
      const earlier = await own.pageId("mill wheel date:2010");
      const views = [
        `${demo.address}/`,
        `${demo.address}/?q=moderation+comment+site:data.gov.uk`,
        `${demo.address}/?q=%22nothing+such%22`,
        `${demo.address}/?q=moderaton`,
        `${demo.address}/page/${cookies}?block=0&q=cookies`,
        `${demo.address}/page/${cookies}?method=lopper&least=60&beside=similarity`,
        `${own.address}/page/${mills}`,
        `${own.address}/page/${mills}/changes?with=${earlier}`,
        `${demo.address}/try`,
        `${demo.address}/ingest`,
        `${demo.address}/nowhere`,
      ];
      for (const view of views) {
        await page.goto(view, { waitUntil: "networkidle" });
        assert.deepEqual(await violations(page), [], view);
        await page.evaluate(() => {
          for (const folded of document.querySelectorAll("details")) {
            folded.removeAttribute("name");
            folded.open = true;
          }
        });
        assert.deepEqual(await violations(page), [], `${view}, all unfolded`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${view} is ${overflow} px too wide`);
      }
      await page.goto(`${demo.address}/?q=moderation`);
      await page.locator(".why summary").first().click();
      await page.locator(".cite summary").first().click();
      assert.deepEqual(await violations(page), [], "an opened hit");
      await page.context().close();
    });
  }
}
