// The search page is complete without this script. With it, results change without a reload, words are suggested as one types, and the
// keyboard is quicker.

const field = document.getElementById("q");
const form = field.form;

// The keyboard

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});

// Suggestions: a list below the field. Arrows choose, Enter goes, Escape closes.

const list = document.createElement("ul");
list.id = "suggestions";
list.className = "suggestions";
list.setAttribute("role", "listbox");
list.setAttribute("aria-label", "Suggestions");
list.hidden = true;
form.append(list);
for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", list.id], ["aria-expanded", "false"]]) {
  field.setAttribute(name, value);
}

let asked = null;
let typed = field.value;
let timer = 0;

function close() {
  list.hidden = true;
  field.setAttribute("aria-expanded", "false");
  field.removeAttribute("aria-activedescendant");
}

function choose(place) {
  const options = [...list.children];
  options.forEach((option, at) => option.setAttribute("aria-selected", String(at === place)));
  const option = options[place];
  field.value = option ? option.dataset.query ?? typed : typed;
  option ? field.setAttribute("aria-activedescendant", option.id) : field.removeAttribute("aria-activedescendant");
}

const chosen = () => [...list.children].findIndex((option) => option.getAttribute("aria-selected") === "true");

function offer({ queries, titles }) {
  const entries = [
    ...queries.map((query) => ({ text: query, query })),
    ...titles.map((page) => ({ text: page.title, host: page.host, page: page.page_id })),
  ];
  list.replaceChildren(
    ...entries.map((entry, at) => {
      const option = document.createElement("li");
      option.id = `suggestion-${at}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dir = "auto";
      option.textContent = entry.text;
      if (entry.query) option.dataset.query = entry.query;
      if (entry.page) {
        option.dataset.page = entry.page;
        const host = document.createElement("small");
        host.textContent = entry.host;
        option.append(" ", host);
      }
      return option;
    }),
  );
  list.hidden = entries.length === 0 || document.activeElement !== field;
  field.setAttribute("aria-expanded", String(!list.hidden));
}

async function suggest() {
  typed = field.value;
  asked?.abort();
  asked = new AbortController();
  try {
    const answer = await fetch(`v1/suggest?q=${encodeURIComponent(typed)}`, { signal: asked.signal });
    if (answer.ok && field.value === typed) offer(await answer.json());
  } catch {
    close(); // Suggestions are no reason to bother anybody.
  }
}

function follow(option) {
  close();
  if (option.dataset.page) location.href = `page/${option.dataset.page}`;
  else {
    field.value = option.dataset.query;
    form.requestSubmit();
  }
}

field.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(suggest, 90);
});
field.addEventListener("blur", () => setTimeout(close, 150));
field.addEventListener("keydown", (event) => {
  if (list.hidden) return;
  const count = list.children.length;
  const at = chosen();
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const next = event.key === "ArrowDown" ? at + 1 : at < 0 ? count - 1 : at - 1;
    choose(next >= count ? -1 : next);
  } else if (event.key === "Enter" && at >= 0) {
    event.preventDefault();
    follow(list.children[at]);
  } else if (event.key === "Escape") {
    event.preventDefault();
    field.value = typed;
    close();
  }
});
list.addEventListener("pointerdown", (event) => {
  const option = event.target.closest("[role=option]");
  if (!option) return;
  event.preventDefault();
  follow(option);
});

// Results without a reload

const slowAfterMs = 300;
let loading = null;

const isSearch = (url) => url.origin === location.origin && url.pathname === new URL(document.baseURI).pathname;

function place(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const main = page.querySelector("main");
  if (!main) throw new Error("the answer is no page");
  document.querySelector("main").replaceWith(main);
  document.body.className = page.body.className;
  document.title = page.title;
  const query = page.getElementById("q")?.value ?? "";
  if (document.activeElement !== field || query !== "") field.value = query;
  typed = field.value;
  prepare();
}

function fail(url, isNew, error) {
  const main = document.querySelector("main");
  const note = document.createElement("div");
  note.className = "message";
  note.setAttribute("role", "alert");
  const text = document.createElement("p");
  text.textContent = `The search could not be made: ${error.message}.`;
  const again = document.createElement("button");
  again.textContent = "Try again";
  again.addEventListener("click", () => go(url, isNew));
  note.append(text, again);
  main.querySelector(":scope > .message")?.remove();
  main.prepend(note);
}

async function go(url, isNew) {
  loading?.abort();
  const own = (loading = new AbortController());
  const slow = setTimeout(() => document.body.classList.add("waiting"), slowAfterMs);
  close();
  try {
    const answer = await fetch(url, { signal: own.signal, headers: { Accept: "text/html" } });
    const html = await answer.text();
    if (isNew) history.pushState({}, "", answer.url);
    place(html);
    if (isNew) {
      scrollTo(0, 0);
      document.querySelector("main h1")?.focus({ preventScroll: true });
    }
  } catch (error) {
    if (!own.signal.aborted) fail(url, isNew, error);
  } finally {
    clearTimeout(slow);
    if (loading === own) document.body.classList.remove("waiting");
  }
}

const canSwap = () => ["home", "nothing", "results", "failure"].some((kind) => document.body.classList.contains(kind));

document.addEventListener("submit", (event) => {
  const sent = event.target;
  const url = new URL(sent.action, location.href);
  if (sent.method !== "get" || !isSearch(url) || !canSwap()) {
    if (sent === form) document.body.classList.add("waiting");
    return;
  }
  event.preventDefault();
  url.search = new URLSearchParams(new FormData(sent)).toString();
  go(url.href, true);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("main a[href], header a[href]");
  const isPlain = !event.defaultPrevented && event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || !canSwap()) return;
  const url = new URL(link.href, location.href);
  if (!isSearch(url)) return;
  event.preventDefault();
  go(url.href, true);
});

window.addEventListener("popstate", () => {
  if (canSwap() && isSearch(new URL(location.href))) go(location.href, false);
});
window.addEventListener("pageshow", () => document.body.classList.remove("waiting"));

// What of the results is handier with a script

function prepare() {
  for (const cite of document.querySelectorAll("details.cite")) {
    const copy = document.createElement("button");
    copy.type = "button";
    copy.className = "quiet";
    copy.textContent = "Copy";
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(cite.querySelector("p").textContent);
        copy.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(cite.querySelector("p"));
        copy.textContent = "Selected: press Ctrl C";
      }
    });
    cite.append(copy);
  }
}

// One panel of filters is open at a time, and goes when one clicks elsewhere or presses Escape.
function closePanels(except) {
  for (const panel of document.querySelectorAll("details.facet[open]")) if (panel !== except) panel.open = false;
}
document.addEventListener("click", (event) => closePanels(event.target.closest("details.facet")));
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = event.target.closest("details.facet[open]");
  if (open) {
    open.open = false;
    open.querySelector("summary").focus();
  }
});

prepare();
if (document.body.classList.contains("home")) field.focus();
