// Pictures of six views in two widths: node screenshots.mjs LOPPER FOLDER

import { join } from "node:path";

const [, , lopper, folder] = process.argv;
process.env.LOPPER = lopper;
const { browser, ownPages, service, visit } = await import("./support.mjs");

const [demo, own, chrome] = await Promise.all([service(), service(ownPages), browser()]);
const cookies = await demo.pageId("which cookies does the site set");
const mills = await own.pageId("mill wheel date:2012");
const views = {
  home: `${demo.address}/`,
  search: `${demo.address}/?q=which+cookies+does+the+site+set`,
  page: `${demo.address}/page/${cookies}?block=1&q=which+cookies+does+the+site+set`,
  methods: `${demo.address}/page/${cookies}?method=lopper&least=60&beside=bte`,
  captures: `${own.address}/page/${mills}/changes?with=${await own.pageId("mill wheel date:2010")}`,
  try: `${demo.address}/try`,
};
for (const [size, width, height, colorScheme] of [["wide", 1280, 860, "light"], ["narrow", 360, 760, "dark"]]) {
  const page = await visit(chrome, demo.address, { viewport: { width, height }, colorScheme });
  for (const [name, address] of Object.entries(views)) {
    await page.goto(address, { waitUntil: "networkidle" });
    await page.screenshot({ path: join(folder, `${name}-${size}.png`) });
  }
}
await chrome.close();
await demo.stop();
await own.stop();
