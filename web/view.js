// The archived page with what is kept of it. The page is complete without this script: it decides anew while a slider moves, says what
// speaks for the part under the pointer, and keeps the tree and the page in step. All of it from the verdicts that came with the page.

const data = JSON.parse(document.getElementById("verdicts").textContent);
const form = document.querySelector("form.dial");
const frame = document.querySelector(".screen iframe");
const detail = document.querySelector(".detail");
const tree = document.querySelector(".tree");

// Fields of a run and of an item: see src/view/verdicts.rs.
const [PROBABILITY, FLAGS, WORDS, ITEM, BLOCK] = [0, 1, 2, 3, 4];
const [ABOVE, FIRST, END, TAG, SIMILARITY, BEST, COMPETES, STAYED, REASON, TEMPLATE] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const [KEPT, COMMENT, INDEXED] = [1, 2, 4];

const totalWords = data.runs.reduce((sum, run) => sum + run[WORDS], 0);
let wasMoved = new URLSearchParams(location.search).has("least");

// What is kept

function bySimilarity(least) {
  const share = least / 100;
  const stays = [];
  for (const item of data.items) {
    const above = item[ABOVE] < 0 || stays[item[ABOVE]];
    stays.push(above && (!item[COMPETES] || item[SIMILARITY] >= share * item[BEST]));
  }
  return data.runs.map((run) => stays[run[ITEM]]);
}

function keptBy(method, least) {
  switch (method) {
    case "index":
      return data.runs.map((run) => Boolean(run[FLAGS] & INDEXED));
    case "lopper":
      return data.runs.map((run) => (least === null ? Boolean(run[FLAGS] & KEPT) : run[PROBABILITY] >= least));
    case "similarity":
      return bySimilarity(least ?? 10);
    default:
      return data.methods[method] ? Array.from(data.methods[method], (digit) => digit === "1") : null;
  }
}

/** Asks once for what the published methods keep. */
async function fetchMethods() {
  if (!data.methods_at || data.asked) return;
  data.asked = true;
  const answer = await fetch(data.methods_at);
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  data.methods = await answer.json();
}

// Painting

let elements = new Map();

function findElements() {
  elements = new Map();
  if (!frame?.contentDocument) return;
  // Names in the archived page may hide a document's own methods, so they are taken from the class.
  const all = Document.prototype.querySelectorAll.call(frame.contentDocument, "[data-run]");
  for (const element of all) {
    const run = Number(element.dataset.run);
    elements.set(run, [...(elements.get(run) ?? []), element]);
  }
}

function fate(first, second) {
  if (first && (second ?? true)) return null;
  if (!first && !(second ?? false)) return "drop";
  return first ? "first" : "second";
}

function percent(counts) {
  const words = data.runs.reduce((sum, run, id) => sum + (counts(id) ? run[WORDS] : 0), 0);
  return totalWords ? Math.floor((100 * words) / totalWords) : 0;
}

function paint(first, second) {
  for (const [run, parts] of elements) {
    const value = fate(first[run], second?.[run]);
    for (const part of parts) value ? part.setAttribute("data-fate", value) : part.removeAttribute("data-fate");
  }
  for (const entry of tree?.querySelectorAll("[data-runs]") ?? []) {
    const [from, to] = range(entry);
    const isGone = !first.slice(from, to).some(Boolean);
    (entry.matches("summary") ? entry.parentElement : entry).classList.toggle("gone", isGone);
  }
  document.querySelector(".kept-share b").textContent = `${percent((run) => first[run])} %`;
  const agreement = document.querySelector(".agreement");
  agreement.replaceChildren();
  if (second) {
    const share = document.createElement("b");
    share.textContent = `${percent((run) => first[run] === second[run])} %`;
    agreement.append("; the two agree on ", share);
  }
}

const range = (entry) => entry.dataset.runs.split("-").map(Number);

// The knobs

const slider = form.elements.least;
const output = form.querySelector("output");
const dialled = (method) => method === "lopper" || method === "similarity";
let painted = 0;

async function decide() {
  const turn = ++painted;
  const [method, beside] = [form.elements.method.value, form.elements.beside.value];
  slider.disabled = !dialled(method);
  const least = !dialled(method) ? null : wasMoved ? Number(slider.value) : method === "similarity" ? 10 : null;
  if (method === "similarity" && !wasMoved) slider.value = 10;
  output.textContent = least === null ? "its own" : `${least} %`;
  let [first, second] = [keptBy(method, least), beside ? keptBy(beside, null) : undefined];
  if (first === null || second === null) {
    document.body.classList.add("waiting");
    try {
      await fetchMethods();
    } catch (error) {
      say(`The methods could not be asked: ${error.message}. Try again in a moment.`);
      data.asked = false;
    }
    document.body.classList.remove("waiting");
    if (turn !== painted) return;
    [first, second] = [keptBy(method, least), beside ? keptBy(beside, null) : undefined];
  }
  if (!first || second === null) return;
  paint(first, second);
  remember(method, least, beside);
}

/** The address tells what is shown, so that it can be passed on and come back to. */
function remember(method, least, beside) {
  if (!data.methods_at) return;
  const parameters = new URLSearchParams(location.search);
  const set = (name, value) => (value === null || value === "" ? parameters.delete(name) : parameters.set(name, value));
  set("method", method === "index" ? null : method);
  set("least", wasMoved ? least : null);
  set("beside", beside);
  const query = parameters.toString();
  history.replaceState(null, "", location.pathname + (query ? `?${query}` : ""));
}

form.addEventListener("submit", (event) => event.preventDefault());
form.querySelector(".show")?.remove();
form.addEventListener("input", (event) => {
  if (event.target === slider) wasMoved = true;
  if (event.target.name === "method") wasMoved = false;
  decide();
});

// What speaks for a part

function say(...lines) {
  detail.replaceChildren(
    ...lines.filter(Boolean).map((line) => {
      if (line instanceof Node) return line;
      const paragraph = document.createElement("p");
      paragraph.textContent = line;
      return paragraph;
    }),
  );
}

/** The nearest run with reasons: itself, or the first told one of the items around it. */
function reasonsFor(run) {
  if (data.reasons[run]) return [data.reasons[run], "it"];
  for (let at = data.runs[run][ITEM]; at >= 0; at = data.items[at][ABOVE]) {
    const [from, to] = [data.items[at][FIRST], data.items[at][END]];
    for (let other = from; other < to; other++) if (data.reasons[other]) return [data.reasons[other], "a part near it"];
  }
  return [[], ""];
}

/** The item whose fate counts: the outermost that was dropped, else the nearest that had to compete. */
function judged(run) {
  let [dropped, contest] = [null, null];
  for (let at = data.runs[run][ITEM]; at >= 0; at = data.items[at][ABOVE]) {
    const item = data.items[at];
    if (!item[STAYED]) dropped = item;
    if (!contest && item[COMPETES]) contest = item;
  }
  return dropped ?? contest ?? data.items[data.runs[run][ITEM]];
}

function bar(label, value, note) {
  const row = document.createElement("div");
  row.className = "measure";
  const name = document.createElement("span");
  name.textContent = label;
  const meter = document.createElement("meter");
  Object.assign(meter, { min: 0, max: 1, value });
  meter.setAttribute("aria-label", label);
  const figure = document.createElement("b");
  figure.textContent = note;
  row.append(name, meter, figure);
  return row;
}

function describe(run) {
  const [probability, flags, words, , block] = data.runs[run];
  const item = judged(run);
  const head = document.createElement("h2");
  head.textContent = flags & INDEXED ? `Block ${block + 1} of ${data.blocks.length}` : "Not in the index";
  const [reasons, of] = reasonsFor(run);
  const list = document.createElement("ul");
  list.className = "reasons";
  for (const [phrase, value, added] of reasons) {
    const entry = document.createElement("li");
    entry.className = added >= 0 ? "for" : "against";
    entry.textContent = `${phrase} (${Number(value.toPrecision(3))}) `;
    const figure = document.createElement("b");
    figure.textContent = `${added >= 0 ? "+" : "−"}${Math.abs(added).toFixed(1)}`;
    entry.append(figure);
    list.append(entry);
  }
  const weight = block >= 0 && data.blocks[block] ? `, weight ${data.blocks[block][1].toFixed(1)}` : "";
  say(
    head,
    `${words} ${words === 1 ? "word" : "words"}${weight}${flags & COMMENT ? ", a reader’s comment" : ""}.`,
    `${item[STAYED] ? "Kept" : "Dropped"} at <${item[TAG]}>: ${item[REASON]}.`,
    bar("Similarity to the topic", item[SIMILARITY], item[SIMILARITY].toFixed(2)),
    item[BEST] > item[SIMILARITY] && bar("The best beside it", item[BEST], item[BEST].toFixed(2)),
    probability >= 0 && bar("Content, says the model", probability / 100, `${probability} %`),
    item[TEMPLATE] > 0 && bar("Of the site’s pages have it", item[TEMPLATE], `${Math.round(100 * item[TEMPLATE])} %`),
    reasons.length > 0 && `What the model looked at most, for ${of}:`,
    reasons.length > 0 && list,
  );
}

// Page and tree in step

let lit = [];

function light(from, to) {
  for (const element of lit) element.removeAttribute("data-lit");
  lit = [];
  for (let run = from; run < to; run++) lit.push(...(elements.get(run) ?? []));
  for (const element of lit) element.setAttribute("data-lit", "");
}

function mark(run, isChosen) {
  light(run, run + 1);
  describe(run);
  for (const entry of tree?.querySelectorAll(".here") ?? []) entry.classList.remove("here");
  const entry = tree?.querySelector(`[data-runs="${run}-${run + 1}"].leaf`);
  if (!entry) return;
  entry.classList.add("here");
  if (isChosen) {
    for (let around = entry.parentElement; around && around !== tree; around = around.parentElement) around.open = true;
    tree.scrollTop = entry.offsetTop - tree.offsetTop - tree.clientHeight / 2;
  }
}

function runAt(event) {
  const element = event.target.closest?.("[data-run]");
  return element ? Number(element.dataset.run) : null;
}

function show(run) {
  const target = elements.get(run)?.[0];
  if (!target) return;
  const inside = frame.contentDocument.defaultView;
  const smooth = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  const top = inside.scrollY + target.getBoundingClientRect().top - inside.innerHeight / 3;
  // Not `scrollIntoView`: that would move the page around the frame, too.
  inside.scrollTo({ top, behavior: smooth ? "smooth" : "auto" });
}

/** The frame's address leads to the block, and the browser moves this page with it: back, unless somebody scrolls. */
function stayAtTop() {
  const back = () => scrollTo(0, 0);
  const leave = () => {
    removeEventListener("scroll", back);
    for (const kind of touches) removeEventListener(kind, leave);
  };
  const touches = ["wheel", "pointerdown", "keydown", "touchstart"];
  addEventListener("scroll", back);
  for (const kind of touches) addEventListener(kind, leave, { once: true });
  setTimeout(leave, 600);
  back();
}

function connect() {
  findElements();
  const inside = frame?.contentDocument;
  if (inside) {
    inside.addEventListener("pointerover", (event) => {
      const run = runAt(event);
      if (run !== null) mark(run, false);
    });
    inside.addEventListener("click", (event) => {
      const run = runAt(event);
      if (run !== null) mark(run, true);
    });
  }
  const found = inside && Document.prototype.querySelector.call(inside, "[data-found]");
  if (found) {
    stayAtTop();
    mark(Number(found.dataset.run), true);
  }
  decide();
}

tree?.addEventListener("pointerover", (event) => {
  const entry = event.target.closest("[data-runs]");
  if (entry) light(...range(entry));
});
tree?.addEventListener("focusin", (event) => {
  const entry = event.target.closest("[data-runs]");
  if (entry) light(...range(entry));
});
tree?.addEventListener("click", (event) => {
  const entry = event.target.closest("[data-runs]");
  if (!entry) return;
  show(range(entry)[0]);
  if (entry.matches(".leaf")) mark(range(entry)[0], false);
});
// One stop for the keyboard in each open box; arrows go on from there.
tree?.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const seen = [...tree.querySelectorAll("[data-runs]")].filter((entry) => entry.checkVisibility());
  const next = seen[seen.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
  if (next.matches(".leaf")) describe(range(next)[0]);
});

const isReady = frame?.contentDocument?.readyState === "complete" && frame.contentDocument.URL !== "about:blank";
if (!frame || isReady) connect();
else frame.addEventListener("load", connect, { once: true });
