// A menu closes when something else is looked at.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) { menu.open = false; menu.querySelector("summary").focus(); }
});

// A command is put into the clipboard; where there is none it is selected.
document.addEventListener("click", (event) => {
  const button = event.target.closest(".copy[data-copies]");
  if (!button) return;
  const line = document.getElementById(button.dataset.copies);
  const done = () => { button.textContent = button.dataset.copied; setTimeout(() => { button.textContent = "Copy"; }, 2000); };
  const byHand = () => { window.getSelection().selectAllChildren(line); };
  if (navigator.clipboard) navigator.clipboard.writeText(line.textContent).then(done, byHand); else byHand();
});
