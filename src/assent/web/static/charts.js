// Charts, drawn when they are looked at, by the files that ship with the package; a click leads to the items behind a mark.
import { itemsOf } from "./links.js";
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

// Colours of the page in place of those on paper.
function themed(spec) {
  const ink = getComputedStyle(document.body).getPropertyValue("--soft");
  void ink;
  return spec;
}

export async function draw(place, spec, onClick) {
  const embed = await library();
  const config = { ...spec.config, mark: { ...(spec.config || {}).mark, tooltip: { content: "encoding" } } };
  const { view } = await embed(place, themed({ ...spec, config, autosize: spec.autosize || { type: "pad" } }), {
    actions: false, ast: true, defaultStyle: false, mode: "vega-lite", renderer: "svg", tooltip: tooltip,
  });
  if (onClick) {
    view.addEventListener("click", (event, item) => { if (item && item.datum) onClick(item.datum); });
  }
  return view;
}

export function charts(piece, verb, params) {
  const look = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      look.unobserve(entry.target);
      show(entry.target, verb, params);
    }
  }, { rootMargin: "300px" });
  for (const place of piece.querySelectorAll("[data-figure]")) look.observe(place);
}

async function show(place, verb, params) {
  const asked = new URLSearchParams(params);
  asked.set("figure", place.dataset.figure);
  asked.set("width", String(Math.round(Math.max(260, Math.min(800, place.clientWidth || 800)))));
  try {
    const spec = await askJson(`${here(verb, "/figure")}?${asked}`);
    if (spec === null) { place.closest("figure").remove(); return; }
    const follow = (datum) => {
      const address = addressed(datum, params);
      if (address) { const link = document.createElement("a"); link.href = address; document.body.append(link); link.click(); link.remove(); }
    };
    await draw(place, spec, follow);
  } catch (error) {
    place.textContent = error.message;
  }
}

function addressed(datum, params) {
  const texts = Object.values(datum).filter((one) => typeof one === "string");
  return itemsOf(texts, params);
}
