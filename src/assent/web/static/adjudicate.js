// Disputed items one by one: a decision is kept in the browser at once, and by the server before it is said to be saved.
import { askJson, element, here, root, say, session, told } from "./net.js";

let found = { items: [], labels: [], key: "" };
let place = 0;
const decided = new Map();

async function begin() {
  try {
    found = await askJson(`${here("adjudicate", "/items")}${location.search}`);
  } catch (error) { told(error); return; }
  restore();
  const first = Number(new URLSearchParams(location.search).get("at"));
  place = first > 0 ? Math.min(first - 1, found.items.length - 1) : Math.max(0, found.items.findIndex((one) => !decided.has(one.item)));
  document.getElementById("back").addEventListener("click", () => move(-1));
  document.getElementById("skip").addEventListener("click", () => move(1));
  document.getElementById("undo").addEventListener("click", () => decide(""));
  document.addEventListener("keydown", keyed);
  show();
}

function stored() {
  return `assent-decisions-${found.key}`;
}

// What the browser kept and the server does not have, as after a restart, is sent again.
function restore() {
  for (const one of found.decided) decided.set(one.item, one);
  let kept = [];
  try { kept = JSON.parse(localStorage.getItem(stored()) || "[]"); } catch (broken) { kept = []; }
  const lost = kept.filter((one) => !decided.has(one.item));
  for (const one of lost) decided.set(one.item, one);
  if (lost.length) send(lost);
}

function keep() {
  try { localStorage.setItem(stored(), JSON.stringify([...decided.values()])); } catch (full) { say("The browser keeps no more decisions: download them."); }
}

async function send(some) {
  const saved = document.getElementById("saved");
  try {
    const made = await askJson(`${root}/s/${session}/decide`, { method: "POST", body: JSON.stringify({ decisions: some }) });
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
  if (label) decided.set(item.item, one); else decided.delete(item.item);
  keep();
  send([one]);
  if (label) move(1); else show();
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
  else if (event.key.toLowerCase() === "u") decide("");
}

function show() {
  const item = found.items[place];
  const many = found.items.filter((one) => decided.has(one.item)).length;
  const standing = document.getElementById("standing");
  const all = found.items.length;
  standing.textContent = all ? `Item ${(place + 1).toLocaleString("en")} of ${all.toLocaleString("en")}; ${many.toLocaleString("en")} decided.` : "No item is disputed.";
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
  const kept = decided.get(item.item);
  buttons.replaceChildren(...found.labels.map((label, at) => {
    const button = element("button", { type: "button", class: "label", "aria-pressed": String(Boolean(kept && kept.label === label)) });
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

begin();
