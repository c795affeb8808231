// Disputed items one by one: a decision is kept in the browser at once, and by the server before it is said to be saved.
import { askJson, element, here, inSight, root, say, session, told } from "./net.js";
import { refusal } from "./refusals.js";

let found = { items: [], labels: [], key: "" };
let place = 0;
// The last decision on each item; one that was taken back has no label.
const decided = new Map();
const labelOf = (item) => decided.get(item)?.label || "";
const madeAt = (one) => Date.parse(one?.decided) || 0;

async function begin() {
  try {
    found = await askJson(`${here("adjudicate", "/items")}${location.search}`);
  } catch (error) {
    // Without items there is nothing to decide.
    document.getElementById("main").replaceChildren(element("h1", {}, "Adjudicate"), ...refusal(error.message));
    return;
  }
  restore();
  const first = Number(new URLSearchParams(location.search).get("at"));
  place = first > 0 ? Math.min(first - 1, found.items.length - 1) : Math.max(0, found.items.findIndex((one) => !labelOf(one.item)));
  document.getElementById("back").addEventListener("click", () => move(-1));
  document.getElementById("skip").addEventListener("click", () => move(1));
  document.getElementById("undo").addEventListener("click", takeBack);
  document.addEventListener("keydown", keyed);
  document.getElementById("download").addEventListener("click", download);
  window.addEventListener("storage", elsewhere);
  const column = document.getElementById("text-column");
  if (column) column.addEventListener("change", () => {
    const address = new URLSearchParams(location.search);
    if (column.value) address.set("text", column.value); else address.delete("text");
    location.search = address;
  });
  show();
}

function stored() {
  return `assent-decisions-${found.key}`;
}

function kept() {
  try { return JSON.parse(localStorage.getItem(stored()) || "[]"); } catch (broken) { return []; }
}

// What the browser kept and the server does not have, after a restart or a reload while it was sent, is sent again.
function restore() {
  for (const one of found.decided) decided.set(one.item, one);
  const lost = kept().filter((one) => (decided.has(one.item) ? madeAt(one) > madeAt(decided.get(one.item)) : one.label));
  for (const one of lost) decided.set(one.item, one);
  if (lost.length) send(lost);
}

// Decisions that a file holds are kept there; the browser keeps those that are on their way, and all if there is no file.
// Another window may have kept some since: of two the later one stays.
function keep(written = []) {
  const all = new Map(kept().map((one) => [one.item, one]));
  for (const one of written) if (madeAt(all.get(one.item)) <= madeAt(one)) all.delete(one.item);
  for (const one of (found.written ? waiting : decided).values()) if (madeAt(all.get(one.item)) <= madeAt(one)) all.set(one.item, one);
  try { localStorage.setItem(stored(), JSON.stringify([...all.values()])); } catch (full) { say("The browser keeps no more decisions: download them."); }
}

// What is decided in another window of this browser is decided here, too.
function elsewhere(event) {
  if (event.key !== stored()) return;
  for (const one of kept()) if (madeAt(one) > madeAt(decided.get(one.item))) decided.set(one.item, one);
  show();
}

// One after the other: a decision that is taken back does not overtake itself.
let last = Promise.resolve();
const waiting = new Map();
function send(some) {
  for (const one of some) waiting.set(one.item, one);
  last = last.then(posted);
}

// The file holds what was decided last: what is on its way to the server arrives first.
async function download(event) {
  event.preventDefault();
  const { href } = event.currentTarget;
  await last;
  element("a", { href, download: "" }).click();
}

// What could not be sent before is sent along.
async function posted() {
  const some = [...waiting.values()];
  if (!some.length) return;
  const saved = document.getElementById("saved");
  try {
    const made = await askJson(`${root}/s/${session}/decide`, { method: "POST", body: JSON.stringify({ decisions: some }) });
    for (const one of some) if (waiting.get(one.item) === one) waiting.delete(one.item);
    if (made.written) keep(some);
    saved.textContent = made.written ? `Saved in ${made.written}.` : "Kept in this browser.";
    say("");
  } catch (error) {
    saved.textContent = "Kept in this browser.";
    told(error);
  }
}

function decide(label) {
  const item = found.items[place];
  if (!item) return;
  const one = { item: item.item, label, decided: new Date().toISOString() };
  decided.set(item.item, one);
  send([one]);
  keep();
  if (label) move(1); else show();
}

// The decision on this item; if there is none, as after a slip of a key, the last one that was made.
function takeBack() {
  if (!labelOf(found.items[place]?.item)) {
    const times = found.items.map((one) => (labelOf(one.item) ? madeAt(decided.get(one.item)) : -1));
    const latest = times.indexOf(Math.max(...times));
    if (!(times[latest] >= 0)) return;
    place = latest;
  }
  decide("");
}

function move(step) {
  place = Math.max(0, Math.min(found.items.length - 1, place + step));
  show();
}

function keyed(event) {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
  const number = Number(event.key);
  if (number >= 1 && number <= Math.min(9, found.labels.length)) { event.preventDefault(); decide(found.labels[number - 1]); }
  else if (event.key === "ArrowLeft") move(-1);
  else if (event.key === "ArrowRight") move(1);
  else if (event.key.toLowerCase() === "u") takeBack();
}

function show() {
  const item = found.items[place];
  const many = found.items.filter((one) => labelOf(one.item)).length;
  const standing = document.getElementById("standing");
  const all = found.items.length;
  const more = found.more ? ` ${found.more.toLocaleString("en")} less disputed items are not listed.` : "";
  standing.textContent = all ? `Item ${(place + 1).toLocaleString("en")} of ${all.toLocaleString("en")}; ${many.toLocaleString("en")} decided.${more}` : "No item is disputed.";
  document.getElementById("done").value = all ? many / all : 1;
  const box = document.getElementById("item");
  const buttons = document.getElementById("labels");
  if (!item) { box.replaceChildren(); buttons.replaceChildren(); return; }
  const made = [element("h2", {}, element("bdi", {}, item.item))];
  if (item.text) made.push(element("blockquote", { dir: "auto" }, item.text));
  const list = element("dl", { class: "said" });
  const said = item.given.length ? item.given : item.counts.map(([label, times]) => [`${times} ×`, label]);
  for (const [who, label] of said) list.append(element("div", {}, element("dt", {}, element("bdi", {}, who)), element("dd", {}, element("bdi", {}, label))));
  made.push(list);
  box.replaceChildren(...made);
  const chosen = labelOf(item.item);
  buttons.replaceChildren(...found.labels.map((label, at) => {
    const button = element("button", { type: "button", class: "label", "aria-pressed": String(chosen === label) });
    if (at < 9) button.append(element("kbd", {}, String(at + 1)), " ");
    button.append(element("bdi", {}, label));
    if (item.majority === label) button.append(element("span", { class: "soft" }, " majority"));
    button.addEventListener("click", () => decide(label));
    return button;
  }));
  const address = new URLSearchParams(location.search);
  address.set("at", String(place + 1));
  history.replaceState(null, "", `?${address}`);
}

inSight();
begin();
