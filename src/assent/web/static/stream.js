// A document that comes in pieces, each shown as soon as it is there.
import { charts, drawRest } from "./charts.js";
import { ask, element, here, lines } from "./net.js";
import { reachable, refusal } from "./refusals.js";
import { linked } from "./links.js";

export class Stream {
  constructor(place, progress) {
    this.place = place;
    this.progress = progress;
    this.under = null;
  }

  async load(verb, params) {
    if (this.under) this.under.abort();
    const mine = this.under = new AbortController();
    this.place.setAttribute("aria-busy", "true");
    this.tell(0, "");
    const shown = new Map();
    try {
      const answer = await ask(`${here(verb, "/document")}?${params}`, { signal: mine.signal });
      let first = true;
      for await (const event of lines(answer)) {
        if (mine.signal.aborted) return;
        if (event.error) {
          this.place.replaceChildren(...refusal(event.error));
        } else if (event.stage !== undefined) {
          this.tell(event.share, event.stage);
        } else if (event.pieces) {
          if (first) { this.place.replaceChildren(); first = false; }
          for (const [name, html] of event.pieces) this.add(shown, name, html, verb, params);
        } else if (event.document) {
          this.finish(shown, event, verb, params);
        }
      }
    } catch (error) {
      if (error.name === "AbortError" || mine.signal.aborted) return;
      this.place.replaceChildren(element("p", { class: "refused" }, error.message));
    }
    if (!mine.signal.aborted) {
      this.place.removeAttribute("aria-busy");
      this.progress.hidden = true;
      drawRest(mine.signal);
    }
  }

  tell(share, stage) {
    this.progress.hidden = false;
    const bar = this.progress.querySelector("progress");
    if (stage) bar.value = share; else bar.removeAttribute("value");
    this.progress.querySelector("span").textContent = stage;
  }

  add(shown, name, html, verb, params) {
    const piece = made(name, html);
    shown.set(name, { html, piece });
    this.place.append(piece);
    alive(piece, verb, params);
  }

  // The whole document is what the report has: pieces that are the same stay, with their charts.
  finish(shown, event, verb, params) {
    const fresh = [];
    const pieces = event.document.map(([name, html]) => {
      const known = shown.get(name);
      if (known && known.html === html) return known.piece;
      fresh.push(made(name, html));
      return fresh.at(-1);
    });
    this.place.replaceChildren(...pieces);
    // What is measured, such as how long a text is, has a size only where it stands.
    for (const piece of fresh) alive(piece, verb, params);
  }
}

function made(name, html) {
  const piece = element("div", { class: "piece", "data-piece": name });
  piece.innerHTML = html;
  return piece;
}

function alive(piece, verb, params) {
  if (window.assentEnhance) window.assentEnhance(piece);
  linked(piece);
  // A command that a sentence names is a page here, and an option is a control.
  for (const said of new Set(Array.from(piece.querySelectorAll("p code, li code"), (one) => one.parentElement))) reachable(said);
  charts(piece, verb, params);
}
