// The page is complete without this script: it only makes the keyboard quicker and waiting visible.
"use strict";

const field = document.getElementById("q");

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
    field.select();
  }
});

field.form.addEventListener("submit", () => document.body.classList.add("waiting"));
window.addEventListener("pageshow", () => document.body.classList.remove("waiting"));

if (document.body.classList.contains("home")) {
  field.focus();
}
