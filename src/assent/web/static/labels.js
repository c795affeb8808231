// A list whose lines can be dragged, or moved by the arrow keys.
export function labelList(list, moved) {
  if (!list) return;
  let held = null;
  list.addEventListener("dragstart", (event) => {
    if (event.target.matches("input")) { event.preventDefault(); return; }
    held = event.target.closest("li");
    held.classList.add("held");
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", held.dataset.label);
  });
  list.addEventListener("dragover", (event) => {
    const over = event.target.closest("li");
    if (!held || !over || over === held) return;
    event.preventDefault();
    const box = over.getBoundingClientRect();
    over[event.clientY > box.top + box.height / 2 ? "after" : "before"](held);
  });
  list.addEventListener("drop", (event) => event.preventDefault());
  list.addEventListener("dragend", () => {
    if (!held) return;
    held.classList.remove("held");
    held = null;
    moved();
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!step || !event.target.matches(".grip")) return;
    const line = event.target.closest("li");
    const other = step < 0 ? line.previousElementSibling : line.nextElementSibling;
    event.preventDefault();
    if (!other) return;
    other[step < 0 ? "before" : "after"](line);
    event.target.focus();
    moved();
  });
}
