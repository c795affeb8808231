// Charts, drawn when they are looked at, by the files that ship with the package; a click leads to the items behind a mark.
import { itemsBetween, itemsOf } from "./links.js";
import { askJson, here, root } from "./net.js";

let loading = null;

function library() {
  loading = loading || new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = `${root}/static/vega.js`;
    script.type = "module";
    script.onload = () => done(window.vegaEmbed);
    script.onerror = () => failed(new Error("The charts cannot be drawn."));
    document.head.append(script);
  });
  return loading;
}

// One box for the numbers under the pointer.
const tip = document.createElement("div");
tip.className = "tip";
tip.hidden = true;
document.body.append(tip);

function tooltip(handler, event, item, value) {
  if (value === null || value === undefined || value === "") { tip.hidden = true; return; }
  const rows = typeof value === "object" ? Object.entries(value) : [["", String(value)]];
  tip.replaceChildren(...rows.map(([name, text]) => {
    const row = document.createElement("p");
    if (name) { const head = document.createElement("span"); head.className = "soft"; head.textContent = `${name} `; row.append(head); }
    row.append(String(text));
    return row;
  }));
  tip.hidden = false;
  const room = tip.getBoundingClientRect();
  tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - room.width - 8)}px`;
  tip.style.top = `${Math.min(event.clientY + 14, window.innerHeight - room.height - 8)}px`;
}

export async function draw(place, spec, onClick) {
  const embed = await library();
  const config = { ...spec.config, mark: { ...(spec.config || {}).mark, tooltip: { content: "encoding" } } };
  // Which version wrote a specification does not matter here: it is not asked about.
  const { $schema, ...plain } = spec;
  void $schema;
  const { view } = await embed(place, { ...plain, config, autosize: spec.autosize || { type: "pad" } }, {
    actions: false, ast: true, defaultStyle: false, mode: "vega-lite", renderer: "svg", tooltip: tooltip,
  });
  // The place says what the chart is; its parts would be read out one by one.
  const svg = place.querySelector("svg");
  if (svg) svg.setAttribute("aria-hidden", "true");
  if (onClick) {
    view.addEventListener("click", (event, item) => { if (item && item.datum) onClick([item.datum]); });
    brushed(place, onClick);
  }
  return view;
}

// A box is drawn over some marks with the mouse: they are chosen together.
function brushed(place, chosen) {
  let from = null;
  const box = document.createElement("div");
  box.className = "brush";
  const edges = (event) => ({
    left: Math.min(from.x, event.clientX), right: Math.max(from.x, event.clientX),
    top: Math.min(from.y, event.clientY), bottom: Math.max(from.y, event.clientY),
  });
  place.onpointerdown = (event) => {
    if (event.pointerType !== "mouse" || event.button) return;
    from = { x: event.clientX, y: event.clientY };
    document.addEventListener("pointermove", moved);
    document.addEventListener("pointerup", done, { once: true });
  };
  function moved(event) {
    const at = edges(event);
    if (at.right - at.left < 6 && at.bottom - at.top < 6) return;
    event.preventDefault();
    tip.hidden = true;
    if (!box.isConnected) document.body.append(box);
    for (const [name, size] of [["left", at.left], ["top", at.top], ["width", at.right - at.left], ["height", at.bottom - at.top]]) {
      box.style[name] = `${size}px`;
    }
  }
  function done(event) {
    document.removeEventListener("pointermove", moved);
    if (box.isConnected) {
      const at = edges(event);
      box.remove();
      const inside = Array.from(place.querySelectorAll("path"), (mark) => [mark.getBoundingClientRect(), mark.__data__])
        .filter(([bounds, item]) => item && item.datum && bounds.width && bounds.left < at.right && bounds.right > at.left && bounds.top < at.bottom && bounds.bottom > at.top)
        .map(([, item]) => item.datum);
      if (inside.length) chosen(inside);
    }
    from = null;
  }
}

// Charts that nobody has looked at yet.
const unseen = new Map();

export function charts(piece, verb, params) {
  const look = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      look.unobserve(entry.target);
      const make = unseen.get(entry.target);
      unseen.delete(entry.target);
      if (make) make();
    }
  }, { rootMargin: "300px" });
  for (const place of piece.querySelectorAll("[data-figure]")) {
    unseen.set(place, () => show(place, verb, params));
    look.observe(place);
  }
}

// Whoever prints the page prints all of it: what is left is drawn, one after the other, when there is time.
export async function drawRest(signal) {
  for (const [place, make] of unseen) {
    await new Promise((done) => (window.requestIdleCallback || window.setTimeout)(done));
    if (signal.aborted) return;
    if (unseen.delete(place) && place.isConnected) await make();
  }
}

async function show(place, verb, params) {
  const asked = new URLSearchParams(params);
  asked.set("figure", place.dataset.figure);
  asked.set("width", String(Math.round(Math.max(260, Math.min(800, place.clientWidth || 800)))));
  try {
    const spec = await askJson(`${here(verb, "/figure")}?${asked}`);
    if (spec === null) { place.closest("figure").remove(); return; }
    const follow = (data) => {
      const texts = data.flatMap((datum) => Object.values(datum).filter((one) => typeof one === "string"));
      const address = place.dataset.figure.endsWith("items") ? itemsBetween(texts) : itemsOf(texts);
      if (address) { const link = document.createElement("a"); link.href = address; document.body.append(link); link.click(); link.remove(); }
    };
    await draw(place, spec, follow);
  } catch (error) {
    place.textContent = error.message;
  }
}
