// Ways to hand over data: drop, choose, paste, type, or take an example.
import { askJson, root, say, told } from "./net.js";

function begin() {
  const drop = document.getElementById("drop");
  const file = document.getElementById("file");
  for (const kind of ["dragenter", "dragover"]) {
    document.addEventListener(kind, (event) => { event.preventDefault(); drop.classList.add("over"); });
  }
  document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.classList.remove("over"); });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    gathered(event.dataTransfer).then(send).catch(told);
  });
  file.addEventListener("change", () => send(Array.from(file.files).map((one) => ({ name: one.name, content: one }))).catch(told));

  document.getElementById("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = document.getElementById("pasted").value;
    send([{ name: text.includes("\t") ? "pasted.tsv" : "pasted.csv", content: new Blob([text]) }]).catch(told);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest("input, textarea")) return;
    const files = Array.from(event.clipboardData.files).map((one) => ({ name: one.name, content: one }));
    const text = event.clipboardData.getData("text");
    if (files.length) send(files).catch(told);
    else if (text.trim()) send([{ name: text.includes("\t") ? "pasted.tsv" : "pasted.csv", content: new Blob([text]) }]).catch(told);
  });

  crossed();
  for (const button of document.querySelectorAll("[data-example]")) {
    button.addEventListener("click", () => {
      busy(button.textContent);
      askJson(`${root}/new?example=${encodeURIComponent(button.dataset.example)}`, { method: "POST" })
        .then((made) => { location.href = made.address; }).catch(told);
    });
  }
}

function busy(what) {
  const place = document.getElementById("sending");
  place.textContent = `Reading ${what}`;
}

// Files of a folder come along, with their place in it: exports of tools are folders.
async function gathered(transfer) {
  const entries = Array.from(transfer.items).filter((one) => one.kind === "file").map((one) => one.webkitGetAsEntry());
  if (!entries.some(Boolean)) return Array.from(transfer.files).map((one) => ({ name: one.name, content: one }));
  const found = [];
  async function walk(entry) {
    if (entry.isFile) {
      const content = await new Promise((done, failed) => entry.file(done, failed));
      found.push({ name: entry.fullPath.replace(/^\//, ""), content });
    } else {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (!some.length) break;
        for (const one of some) await walk(one);
      }
    }
  }
  for (const entry of entries) if (entry) await walk(entry);
  return found;
}

async function send(files, more = {}) {
  if (!files.length) return;
  say("");
  busy(files.map((one) => one.name).slice(0, 3).join(", "));
  try {
    const [first, ...others] = files;
    const query = new URLSearchParams({ name: first.name, ...more });
    const made = await askJson(`${root}/new?${query}`, { method: "POST", body: first.content });
    for (const one of others) {
      await askJson(`${root}/s/${made.session}/files?${new URLSearchParams({ name: one.name })}`, { method: "POST", body: one.content });
    }
    location.href = made.address;
  } finally {
    document.getElementById("sending").textContent = "";
  }
}

function crossed() {
  const form = document.getElementById("crossed");
  const labels = [0, 1].map((place) => document.getElementById(`label-${place}`));
  const cells = [0, 1].map((row) => [0, 1].map((column) => document.getElementById(`cell-${row}${column}`)));
  labels.forEach((label, place) => label.addEventListener("input", () => { document.getElementById(`row-${place}`).textContent = label.value; }));
  const quoted = (text) => `"${text.replaceAll('"', '""')}"`;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const names = labels.map((one) => one.value || " ");
    const lines = [["", ...names].map(quoted).join(",")];
    cells.forEach((row, place) => lines.push([quoted(names[place]), ...row.map((one) => one.value)].join(",")));
    send([{ name: "table.csv", content: new Blob([lines.join("\n") + "\n"]) }], { settings: "layout=table", typed: "yes" }).catch(told);
  });
}

begin();
