// Ways from a name in a table or a chart to the items behind it: the filter is part of the address.
import { elsewhere } from "./net.js";

function names() {
  const form = document.getElementById("levers");
  return form
    ? { labels: JSON.parse(form.dataset.labels), annotators: JSON.parse(form.dataset.annotators), groups: JSON.parse(form.dataset.groups) }
    : { labels: [], annotators: [], groups: [] };
}

// A name on an axis may be cut short, at its end or in the middle.
function matching(text, known) {
  if (known.includes(text)) return text;
  if (typeof text !== "string" || !text.includes("…")) return null;
  const at = text.indexOf("…");
  const found = known.filter((one) => one.startsWith(text.slice(0, at)) && one.endsWith(text.slice(at + 1)));
  return found.length === 1 ? found[0] : null;
}

function quoted(name) {
  return /[",\n\r]/.test(name) || name !== name.trim() ? `"${name.replaceAll('"', '""')}"` : name;
}

// The page of all items, without a filter.
function items() {
  const address = elsewhere("items");
  for (const name of FILTERS) address.searchParams.delete(name);
  return address;
}

const FILTERS = ["has_label", "label_pair", "from_annotator", "group", "min_agreement", "max_agreement", "min_annotations", "top", "sort"];

// The address of the items that some names are about; null if none of them is known.
export function itemsOf(texts) {
  const known = names();
  const found = [...new Set(texts)];
  // Rows and columns of a chart cut one name at two places.
  const labels = [...new Set(found.map((text) => matching(text, known.labels)).filter((one) => one !== null))];
  const annotators = found.map((text) => matching(text, known.annotators)).filter((one) => one !== null && !labels.includes(one));
  const groups = found.map((text) => matching(text, known.groups)).filter((one) => one !== null && !labels.includes(one) && !annotators.includes(one));
  if (!labels.length && !annotators.length && !groups.length) return null;
  const address = items();
  const made = address.searchParams;
  // Items of rankings and preferences are shown whole: they are not filtered.
  const kind = document.getElementById("levers").dataset.kind;
  if (!["labels", "label-sets", "spans"].includes(kind)) return address.href;
  if (labels.length === 2) made.set("label_pair", labels.map(quoted).join(","));
  else if (labels.length === 1) made.set("has_label", labels[0]);
  if (annotators.length) made.set("from_annotator", annotators.map(quoted).join(","));
  if (groups.length) made.set("group", groups[0]);
  if (kind !== "spans") made.set("who", "yes");
  return address.href;
}

// The address of the items whose agreement lies in the ranges of some bars; the bars hold their lower end, the last also its upper one.
export function itemsBetween(ranges) {
  const ends = ranges.map((text) => /^([\d.]+)–([\d.]+)$/.exec(text)).filter(Boolean).map((found) => [Number(found[1]), Number(found[2])]);
  if (!ends.length) return null;
  const low = Math.min(...ends.map((one) => one[0]));
  const high = Math.max(...ends.map((one) => one[1]));
  const address = items();
  const made = address.searchParams;
  made.set("min_agreement", String(low));
  made.set("max_agreement", String(high < 1 ? (high - 0.0001).toFixed(4) : 1));
  made.set("who", "yes");
  return address.href;
}

// In a table of names crossed with names a cell is about its row and its column.
function namesOf(cell) {
  const own = Array.from(cell.querySelectorAll("bdi"), (one) => one.textContent);
  if (own.length) return own;
  const heads = [cell.parentElement.cells[0], cell.closest("table").tHead.rows[0].cells[cell.cellIndex]];
  return heads.flatMap((head) => Array.from(head.querySelectorAll("bdi"), (one) => one.textContent));
}

export function linked(piece) {
  // A report leads to the items that it lists; here all of them are at hand.
  for (const link of piece.querySelectorAll("td a.find, th a.find")) {
    const address = itemsOf(namesOf(link.closest("td, th")));
    if (!address) continue;
    link.href = address;
    for (const name of ["find", "said"]) delete link.dataset[name];
    link.removeAttribute("title");
  }
  for (const cell of piece.querySelectorAll("tbody th[scope=row], tbody td.pair")) {
    const texts = Array.from(cell.querySelectorAll("bdi"), (one) => one.textContent);
    if (!texts.length || cell.querySelector("a")) continue;
    const address = itemsOf(texts);
    if (!address) continue;
    const link = document.createElement("a");
    link.href = address;
    link.className = "to-items";
    link.append(...cell.childNodes);
    cell.append(link);
  }
  // A span leads to the documents in which its annotator gave its label.
  for (const label of piece.querySelectorAll(".marked mark > .as")) {
    const who = label.closest("dl > div").querySelector("dt bdi");
    const address = itemsOf([label.textContent, ...(who ? [who.textContent] : [])]);
    if (!address) continue;
    const link = document.createElement("a");
    link.href = address;
    link.className = "to-items";
    label.before(link);
    link.append(label);
    const mark = link.closest("mark");
    mark.classList.add("leads");
    mark.addEventListener("click", (event) => { if (event.target.closest("mark") === mark && !event.target.closest("a")) link.click(); });
  }
}
