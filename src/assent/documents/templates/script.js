"use strict";
// Everything here adds to a page that can be read without it: sorting, filtering, copying.
(function () {
  const FEW = 14;     // Rows that need no filter.
  const FIRST = 20;   // Rows of a long table that are shown at first.

  function make(tag, attributes, text) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
    if (text !== undefined) element.textContent = text;
    return element;
  }

  function prepare(box) {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    if (rows.length < 2) return;
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const state = { query: "", all: rows.length <= FIRST + 5, find: null, said: "" };
    const caption = table.caption.textContent;

    const status = make("span", { class: "soft", role: "status" });
    const more = make("button", { type: "button", class: "plain" }, `Show all ${rows.length.toLocaleString("en")} rows`);
    const every = make("button", { type: "button", class: "plain" }, "Show all items");
    function refresh() {
      const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
      let matching = 0;
      for (const row of body.rows) {
        const fits = words.every((word) => texts[row.place].includes(word)) && (!state.find || found(row, state.find));
        if (fits) matching += 1;
        row.hidden = !fits || (!state.all && matching > FIRST);
      }
      more.hidden = state.all || matching <= FIRST;
      const few = `${matching.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows`;
      status.textContent = state.find && !words.length ? state.said : words.length ? few : "";
      every.hidden = !state.find;
    }
    rows.forEach((row, place) => { row.place = place; });
    every.addEventListener("click", () => { state.find = null; state.said = ""; refresh(); });

    // A column without a name is not sorted by it.
    const heads = Array.from(table.tHead.rows[0].cells, (head, column) => [head, column]).filter(([head]) => head.matches("th"));
    heads.forEach(([head, column]) => {
      const button = make("button", { type: "button", class: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => {
        // Numbers are looked at from the largest on first, names from A on; a third click restores the order.
        const now = head.getAttribute("aria-sort");
        const numbers = head.classList.contains("number");
        const [first, second] = numbers ? ["descending", "ascending"] : ["ascending", "descending"];
        const next = now === "none" ? first : now === first ? second : "none";
        for (const [other] of heads) other.setAttribute("aria-sort", "none");
        head.setAttribute("aria-sort", next);
        body.append(...sorted(rows, column, next));
        refresh();
      });
    });

    if (rows.length > FEW) {
      const tools = make("div", { class: "tools" });
      const label = make("label", {}, "Filter ");
      const input = make("input", { type: "search", autocomplete: "off", spellcheck: "false", "aria-label": `Filter the table "${caption}"` });
      label.append(input);
      tools.append(label, status, every);
      box.prepend(tools);
      input.addEventListener("input", () => { state.query = input.value; refresh(); });
      more.addEventListener("click", () => { state.all = true; refresh(); input.focus(); });
      box.querySelector(".scroll").after(more);
    } else {
      state.all = true;
      if (rows[0].dataset.given) {
        const tools = make("div", { class: "tools" });
        tools.append(status, every);
        box.prepend(tools);
      }
    }
    box.find = (find, said) => { Object.assign(state, { find, said, query: "" }); refresh(); };
    refresh();
    box.showAll = (whole) => { const before = { ...state }; Object.assign(state, whole || { query: "", all: true, find: null }); refresh(); return before; };
  }

  // Whether a row is one that is looked for: all labels were given; one annotator is not with most, or two differ.
  function found(row, find) {
    const given = (row.dataset.given || "").split(" ").map((one) => one.split("."));
    const labels = given.map((one) => one[1]);
    const mine = new Map(given);
    if (!find.labels.every((one) => labels.includes(one)) || !find.annotators.every((one) => mine.has(one))) return false;
    const own = find.annotators.map((one) => mine.get(one));
    if (own.length > 1) return new Set(own).size > 1;
    if (!own.length) return true;
    const times = new Map();
    for (const one of labels) times.set(one, (times.get(one) || 0) + 1);
    const most = Math.max(...times.values());
    return times.get(own[0]) < most || Array.from(times.values()).filter((one) => one === most).length > 1;
  }

  // A cell, a mark or a name leads to its items: without a script to their table, with it to those rows.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-find]");
    const box = link && document.getElementById(link.getAttribute("href").slice(1));
    if (!box || !box.find) return;
    const keys = link.dataset.find.split(" ");
    const some = (kind) => keys.filter((one) => one[0] === kind).map((one) => one.slice(1));
    box.find({ labels: some("l"), annotators: some("a") }, link.dataset.said);
    for (let fold = box.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  });

  function sorted(rows, column, direction) {
    if (direction === "none") return rows;
    const sign = direction === "ascending" ? 1 : -1;
    const compare = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" }).compare;
    const keyed = rows.map((row) => {
      const cell = row.cells[column];
      const known = cell.hasAttribute("data-sort");
      return { row, known, number: known ? Number(cell.dataset.sort) : NaN, text: cell.textContent.trim() };
    });
    const numbers = keyed.some((one) => one.known);
    keyed.sort((a, b) => {
      // What is undefined or empty comes last, whichever way.
      const absentA = numbers ? !a.known : a.text === "" || a.text === "–";
      const absentB = numbers ? !b.known : b.text === "" || b.text === "–";
      if (absentA || absentB) return absentA - absentB;
      return sign * (numbers ? a.number - b.number : compare(a.text, b.text));
    });
    return keyed.map((one) => one.row);
  }

  function copyable(box) {
    const text = box.querySelector("pre, blockquote");
    const head = box.firstElementChild;
    const row = make("div", { class: "row" });
    const side = make("span");
    const status = make("span", { class: "soft", role: "status" });
    const button = make("button", { type: "button", class: "plain", "aria-describedby": head.id }, "Copy");
    head.before(row);
    side.append(status, " ", button);
    row.append(head, side);
    let wait;
    function say(what) {
      status.textContent = what;
      clearTimeout(wait);
      wait = setTimeout(() => { status.textContent = ""; }, 6000);
    }
    function byHand() {
      const selection = window.getSelection();
      selection.selectAllChildren(text);
      let done = false;
      try { done = document.execCommand("copy"); } catch (refused) { done = false; }
      say(done ? "Copied" : "Selected: press Ctrl+C or ⌘C");
    }
    button.addEventListener("click", () => {
      if (!navigator.clipboard || !navigator.clipboard.writeText) { byHand(); return; }
      navigator.clipboard.writeText(text.textContent).then(() => say("Copied"), byHand);
    });
  }

  // What can be scrolled can be reached by the keyboard, and has a name.
  function reachable(box) {
    if (box.scrollWidth > box.clientWidth + 1) {
      const named = box.querySelector("caption, [aria-label]");
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      box.setAttribute("aria-label", named ? named.getAttribute("aria-label") || named.textContent : "Scrollable");
      if (!box.hint) {
        box.hint = make("p", { class: "hint", "aria-hidden": "true" }, "There is more to the right: scroll sideways →");
        box.after(box.hint);
      }
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
    if (box.hint) box.hint.hidden = !box.hasAttribute("tabindex");
  }

  // Long texts show their first lines, and all of them on request.
  function clamp(texts) {
    for (const text of texts) text.classList.add("clamped");
    // All are measured before any is changed: else the whole page would be laid out again for each.
    const short = texts.filter((text) => text.scrollHeight <= text.clientHeight + 2);
    for (const text of short) text.classList.remove("clamped");
    for (const text of texts) if (text.classList.contains("clamped")) unfolding(text);
  }

  function unfolding(text) {
    const button = make("button", { type: "button", class: "more", "aria-expanded": "false" }, "Show all of it");
    button.addEventListener("click", () => {
      const open = text.classList.toggle("clamped");
      button.setAttribute("aria-expanded", String(!open));
      button.textContent = open ? "Show all of it" : "Show less";
    });
    text.after(button);
  }

  const watch = new ResizeObserver((entries) => { for (const entry of entries) reachable(entry.target); });
  function enhance(root) {
    // Texts are measured while their folds are open and all rows are there.
    const closed = Array.from(root.querySelectorAll("details:not([open])"));
    for (const fold of closed) fold.open = true;
    clamp(Array.from(root.querySelectorAll(".clamp")));
    for (const fold of closed) fold.open = false;
    root.querySelectorAll(".table").forEach(prepare);
    root.querySelectorAll(".copyable").forEach(copyable);
    root.querySelectorAll(".scroll").forEach((box) => watch.observe(box));
  }
  // A page that gets documents piece by piece enhances each of them.
  window.assentEnhance = enhance;
  const report = document.querySelector("body.report");
  if (!report) return;
  const tables = Array.from(document.querySelectorAll(".table"));
  enhance(document);

  // The contents say where one is.
  const links = new Map();
  for (const link of document.querySelectorAll(".side a")) {
    const section = document.getElementById(link.hash.slice(1));
    if (section) links.set(section.closest("section"), link);
  }
  const seen = new Set();
  const look = new IntersectionObserver((entries) => {
    for (const entry of entries) entry.isIntersecting ? seen.add(entry.target) : seen.delete(entry.target);
    const first = Array.from(links.keys()).find((section) => seen.has(section));
    for (const [section, link] of links) {
      if (section === first) link.setAttribute("aria-current", "true"); else link.removeAttribute("aria-current");
    }
  }, { rootMargin: "-10% 0px -60% 0px" });
  for (const section of links.keys()) look.observe(section);
  for (const link of document.querySelectorAll(".folded a")) {
    link.addEventListener("click", () => { link.closest("details").open = false; });
  }

  // In a frame of a notebook a link to a place of this page would open the notebook.
  if (location.protocol === "about:") {
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href^='#']");
      const place = link && document.getElementById(link.getAttribute("href").slice(1));
      if (place) { event.preventDefault(); place.scrollIntoView(); }
    });
  }

  // On paper there is what the page shows, the first rows of long tables; or everything, if that is asked for.
  let before = [];
  function whole() {
    report.classList.add("whole");
    before.push(() => report.classList.remove("whole"));
    for (const box of tables) if (box.showAll) { const state = box.showAll(); before.push(() => box.showAll(state)); }
    for (const fold of document.querySelectorAll("main details:not([open])")) {
      fold.open = true;
      before.push(() => { fold.open = false; });
    }
  }
  window.addEventListener("afterprint", () => { for (const restore of before) restore(); before = []; });
  const footer = document.querySelector("footer");
  if (footer) {
    const tools = make("div", { class: "tools" });
    for (const [text, all] of [["Print", false], ["Print with all rows, folds and the appendix", true]]) {
      const button = make("button", { type: "button", class: "plain" }, text);
      button.addEventListener("click", () => { if (all) whole(); window.print(); });
      tools.append(button);
    }
    footer.append(tools);
  }
})();
