// One module for each page; the body says which one it is.
const pages = { start: "./start.js", work: "./work.js", adjudicate: "./adjudicate.js", teach: "./teach.js" };
const wanted = pages[document.body.dataset.page];
if (wanted) import(wanted).then((module) => module.begin());

// A menu closes when something else is looked at.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) { menu.open = false; menu.querySelector("summary").focus(); }
});
