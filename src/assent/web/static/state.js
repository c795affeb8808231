// The address as a state: what the form says becomes its query, and the other way round.
const BY_HAND = ["without", "rename", "merge", "order"];

export function params() {
  return new URLSearchParams(location.search);
}

function quoted(name) {
  return /[",\n\r]/.test(name) || name !== name.trim() ? `"${name.replaceAll('"', '""')}"` : name;
}

// What stands in the form, over what the address says of options that the form does not show.
export function collected(form, { keepOrder = null } = {}) {
  const said = params();
  const controls = Array.from(form.elements).filter((one) => one.name);
  const shown = new Set(controls.map((one) => one.name));
  const made = new URLSearchParams();
  const lists = document.getElementById("labels") || document.getElementById("annotators");
  for (const [name, value] of said) {
    if (!shown.has(name) && !(lists && BY_HAND.includes(name))) made.append(name, value);
  }
  for (const one of controls) if (one.value !== "" && (one.type !== "checkbox" || one.checked)) made.append(one.name, one.value);
  if (lists) byHand(made, said, keepOrder);
  return made;
}

function byHand(made, said, keepOrder) {
  const lines = Array.from(document.querySelectorAll("#labels > li"));
  const gone = { labels: [], annotators: [] };
  const names = new Map();
  for (const line of lines) {
    const label = line.dataset.label;
    const name = line.querySelector(".name").value || label;
    if (!line.querySelector(".kept").checked) gone.labels.push(label);
    names.set(label, name);
  }
  for (const box of document.querySelectorAll("#annotators input")) if (!box.checked) gone.annotators.push(box.dataset.annotator);
  if (!lines.length) keep(made, said, ["rename", "merge", "order"]);
  // Items that were left out by the address stay left out.
  for (const text of said.getAll("without")) if (text.startsWith("items=")) made.append("without", text);
  const groups = new Map();
  for (const [label, name] of names) groups.set(name, [...(groups.get(name) || []), label]);
  for (const [name, some] of groups) {
    if (some.length > 1) made.append("merge", `${some.map(quoted).join(",")}=${name}`);
    else if (some[0] !== name) made.append("rename", `${some[0]}=${name}`);
  }
  // Labels are left out after they were renamed.
  if (gone.labels.length) made.append("without", `labels=${[...new Set(gone.labels.map((one) => names.get(one)))].map(quoted).join(",")}`);
  if (gone.annotators.length) made.append("without", `annotators=${gone.annotators.map(quoted).join(",")}`);
  const list = document.getElementById("labels");
  const ordered = keepOrder === null ? list && list.dataset.ordered === "yes" : keepOrder;
  if (lines.length && ordered) {
    const order = [...new Set(lines.filter((line) => line.querySelector(".kept").checked).map((line) => names.get(line.dataset.label)))];
    made.append("order", order.map(quoted).join(","));
  }
}

function keep(made, said, names) {
  for (const name of names) for (const text of said.getAll(name)) made.append(name, text);
}
