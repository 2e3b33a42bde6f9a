// Adding an archive by dropping it, with figures while it is read; and deleting after counting.

const drop = document.getElementById("drop");
const file = document.getElementById("archive");
const jobs = document.getElementById("jobs");
const pollMs = 500;

const unit = (bytes) => {
  for (const [size, name] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) if (bytes >= size) return `${(bytes / size).toFixed(1)} ${name}`;
  return `${bytes} bytes`;
};
const time = (seconds) => (seconds >= 90 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds)} s`);

/** A number of things: `1 page`, `2 pages`. */
const things = (number, name) => `${number} ${name}${number === 1 ? "" : "s"}`;

/** A line with a bar. */
function line(name) {
  const row = document.createElement("div");
  row.className = "job";
  const [title, bar, text] = ["b", "progress", "span"].map((tag) => document.createElement(tag));
  title.textContent = name;
  bar.setAttribute("aria-label", name);
  bar.max = 1;
  row.append(title, bar, text);
  jobs.prepend(row);
  return (share, said) => {
    if (share === null) bar.remove();
    else bar.value = share;
    text.textContent = said;
  };
}

function told(job) {
  const { progress, report } = job;
  if (job.state === "failed") return `Stopped: ${job.message}`;
  if (job.state === "running") {
    const left = job.seconds_left === undefined ? "" : `, about ${time(job.seconds_left)} left`;
    return `${unit(progress.bytes_read)} of ${unit(progress.bytes_total)}, ${things(progress.pages, "page")}, ${things(progress.failed, "error")}${left}`;
  }
  if (report.archives === 0 && report.archives_already_ingested > 0) return "It was taken in before, and is known.";
  const skipped = Object.values(report.records.skipped).reduce((sum, count) => sum + count, 0);
  const { indexed, replaced, duplicates, failed } = report.records;
  const unread = report.unreadable.length ? " It is no archive that can be read." : "";
  const ended = job.state === "cancelled" ? "Stopped as told after" : "Done in";
  return `${ended} ${time(job.seconds)}: ${things(indexed, "new page")}, ${replaced} replaced, ${duplicates} known, ${skipped} skipped, ${failed} failed.${unread}`;
}

/** The jobs there are; asked again while the service says to wait. */
async function jobsNow() {
  for (;;) {
    const answer = await fetch("v1/jobs");
    if (answer.ok) return (await answer.json()).jobs;
    if (![429, 503].includes(answer.status)) throw new Error(`the service answered with status ${answer.status}`);
    const seconds = Number(answer.headers.get("Retry-After")) || 1;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

async function watch(number, show) {
  for (;;) {
    const job = (await jobsNow()).find((job) => job.number === number);
    if (!job) return;
    const { bytes_read, bytes_total } = job.progress;
    show(job.state === "running" ? bytes_read / Math.max(bytes_total, 1) : null, told(job));
    if (job.state !== "running") return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Sends a file with its progress, which `fetch` does not tell. */
function send(archive, show) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `v1/archives?name=${encodeURIComponent(archive.name)}`);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) => show(loaded / total, `sent ${unit(loaded)} of ${unit(total)}`));
    request.addEventListener("error", () => reject(new Error("the service did not answer")));
    request.addEventListener("load", () => {
      try {
        const answer = JSON.parse(request.responseText);
        if (request.status === 202) resolve(answer);
        else reject(new Error(answer.detail));
      } catch {
        reject(new Error(`the service answered with status ${request.status}`));
      }
    });
    request.send(archive);
  });
}

async function add(archive) {
  const show = line(archive.name);
  try {
    const job = await send(archive, show);
    await watch(job.number, show);
  } catch (error) {
    show(null, `Not taken in: ${error.message}.`);
  }
}

file.addEventListener("change", async () => {
  for (const archive of file.files) await add(archive);
  file.value = "";
});
for (const kind of ["dragover", "dragleave", "drop"]) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.classList.toggle("over", kind === "dragover");
  });
}
drop.addEventListener("drop", async (event) => {
  for (const archive of event.dataTransfer.files) await add(archive);
});

// What is under way already when the page is opened.
async function showKnown() {
  for (const job of await jobsNow()) {
    const show = line(job.archive);
    if (job.state !== "running") show(null, told(job));
    else watch(job.number, show).catch((error) => show(null, error.message));
  }
}
showKnown().catch((error) => line("")(null, error.message));

// Deleting: first the count, then a button.

const form = document.getElementById("delete");
const counted = document.getElementById("counted");

async function remove(parameters) {
  const answer = await fetch(`v1/pages?${parameters}`, { method: "DELETE" });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.detail);
  return body;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  document.getElementById("really")?.remove();
  const parameters = new URLSearchParams([[form.elements.by.value, form.elements.value.value]]);
  try {
    const { pages, blocks } = await remove(`${parameters}&dry_run=true`);
    counted.textContent = `That is ${things(pages, "page")} with ${things(blocks, "block")}. `;
    if (!pages) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = `Delete ${things(pages, "page")}`;
    button.addEventListener("click", async () => {
      button.disabled = true;
      try {
        const done = await remove(parameters);
        counted.textContent = `${things(done.pages, "page")} deleted; takedown ${done.takedown?.number} keeps them out.`;
      } catch (error) {
        counted.textContent = `Nothing was deleted: ${error.message}.`;
      }
    });
    counted.append(button);
  } catch (error) {
    counted.textContent = `This could not be counted: ${error.message}.`;
  }
});
