// The page of a function: forms, the number, the command and the document follow the address.
import { labelList } from "./labels.js";
import { ask, askJson, element, here, inSight, lines, root, say, session, told } from "./net.js";
import { reachable } from "./refusals.js";
import { collected, params } from "./state.js";
import { Stream } from "./stream.js";

const PARTS = ["navigation", "number", "form", "command"];
let verb = document.body.dataset.verb;
let under = null;
const stream = new Stream(document.getElementById("document"), document.getElementById("progress"));

function begin() {
  narrow();
  prepare();
  const loading = stream.load(verb, params());
  if (document.querySelector("#number .waits")) refresh(loading);
  window.addEventListener("popstate", () => {
    verb = location.pathname.split("/").pop();
    refresh();
  });
  document.addEventListener("click", followed);
  document.addEventListener("change", changed);
  document.addEventListener("submit", (event) => event.preventDefault());
}

// On a phone the forms are folded at first.
function narrow() {
  if (window.matchMedia("(max-width: 60rem)").matches) document.getElementById("controls").open = false;
}

function prepare() {
  inSight();
  labelList(document.getElementById("labels"), () => go(collected(levers(), { keepOrder: true })));
  sentences();
  const reset = document.getElementById("reset");
  if (reset) reset.addEventListener("click", () => go(new URLSearchParams(document.body.dataset.settings)));
  const unordered = document.getElementById("unordered");
  if (unordered) unordered.addEventListener("click", () => go(collected(levers(), { keepOrder: false })));
  const other = document.getElementById("other");
  if (other) other.addEventListener("change", () => added(other.files[0]));
}

function sentences() {
  for (const said of document.querySelectorAll("#number .refused:not([data-said]), #number .unlike:not([data-said]), #number .question:not([data-said]), #form .help li:not([data-said])")) reachable(said);
}

function levers() {
  return document.getElementById("levers");
}

function changed(event) {
  // The address says rename=old=new, and an old name may hold the sign: a new one may not.
  const line = event.target.matches("#labels .name") && event.target.closest("li");
  if (line && event.target.value.includes("=") && event.target.value !== line.dataset.label) {
    event.target.value = event.target.defaultValue;
    say("The new name of a label cannot hold an equals sign: choose another.");
    return;
  }
  // Labels with one name are one label: they are kept or left out together.
  const kept = event.target.matches("#labels .kept") && event.target;
  if (kept) for (const other of document.querySelectorAll("#labels > li")) {
    if (other.querySelector(".name").value === kept.closest("li").querySelector(".name").value) other.querySelector(".kept").checked = kept.checked;
  }
  if (event.target.closest("#levers") && event.target.id !== "other") go(collected(levers()));
}

async function added(file) {
  try {
    const query = new URLSearchParams({ name: file.name, other: "yes" });
    await askJson(`${root}/s/${session}/files?${query}`, { method: "POST", body: file });
    refresh();
  } catch (error) { told(error); }
}

// Links between pages of the same data keep the page; others are followed as usual.
function followed(event) {
  const link = event.target.closest("a[href]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || link.hasAttribute("data-leave")) return;
  const address = new URL(link.href, location.href);
  const start = `${root}/s/${session}/`;
  if (address.origin !== location.origin || !address.pathname.startsWith(start) || (address.hash && address.pathname === location.pathname)) return;
  event.preventDefault();
  verb = address.pathname.slice(start.length);
  history.pushState(null, "", address);
  refresh();
  window.scrollTo(0, 0);
}

function go(made) {
  const query = made.toString();
  history.pushState(null, "", query ? `?${query}` : location.pathname);
  refresh();
}

// The document is loaded anew, unless the one that is `loading` is that of the address already.
async function refresh(loading = null) {
  if (under) under.abort();
  under = new AbortController();
  say("");
  // What is shown is of the last address until the next one is there.
  for (const id of loading ? ["number"] : ["number", "document"]) document.getElementById(id).setAttribute("aria-busy", "true");
  document.body.dataset.verb = verb;
  try {
    const answer = await ask(`${here(verb, "/parts")}?${params()}`, { signal: under.signal });
    for await (const parts of lines(answer)) {
      if (parts.error) throw new Error(parts.error);
      if (loading) { sure(parts.number); continue; }
      swap(parts);
      document.getElementById("heading").textContent = `${verb[0].toUpperCase()}${verb.slice(1)}`;
      document.title = `${verb[0].toUpperCase()}${verb.slice(1)}: ${document.title.split(": ").slice(1).join(": ")}`;
      loading = stream.load(verb, params());
    }
    document.getElementById("number").removeAttribute("aria-busy");
    await loading;
  } catch (error) {
    told(error);
    if (error.name === "AbortError") return;
    for (const id of loading ? ["number"] : ["number", "document"]) document.getElementById(id).removeAttribute("aria-busy");
    unsure(loading);
  }
}

// Intervals that took long stand beside their numbers now.
function sure(html) {
  document.getElementById("number").innerHTML = html;
  sentences();
}

// Intervals that could not be worked out, as when too many are asked for, can be asked for again.
function unsure(loading) {
  const waiting = Array.from(document.querySelectorAll("#number .waits"));
  for (const said of waiting) said.textContent = "its interval could not be worked out";
  if (!waiting.length) return;
  const again = element("button", { type: "button", class: "plain" }, "Work it out");
  again.addEventListener("click", () => refresh(loading));
  waiting.at(-1).after(" ", again);
}

// The parts are put in place; what had the focus or was open still has it or is.
function swap(parts) {
  const active = document.activeElement;
  const focus = active && (active.dataset.focus ? ["[data-focus]", active.dataset.focus] : active.id ? ["id", active.id] : null);
  const open = new Set(Array.from(document.querySelectorAll("#form details[open]"), (one) => one.id));
  for (const name of PARTS) document.getElementById(name).innerHTML = parts[name];
  for (const id of open) { const one = document.getElementById(id); if (one) one.open = true; }
  if (focus) {
    const found = focus[0] === "id"
      ? document.getElementById(focus[1])
      : Array.from(document.querySelectorAll("[data-focus]")).find((one) => one.dataset.focus === focus[1]);
    if (found) found.focus({ preventScroll: true });
  }
  prepare();
}

begin();
