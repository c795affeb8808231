// Sentences of refusal: an option that one names leads to its control, a command to its page.
import { element, elsewhere } from "./net.js";

const bare = (text) => text.replace(/[`\u2066-\u2069]/g, "").replace(/\s+/g, " ").trim();

// A sentence as an element; none if it stands above the document already.
export function refusal(sentence) {
  const above = document.querySelector("#number .refused");
  if (above && above.dataset.said === bare(sentence)) return [];
  const made = element("p", { class: "refused" });
  sentence.split("`").forEach((part, place) => made.append(place % 2 ? element("code", {}, part) : part));
  reachable(made);
  return [made];
}

export function reachable(place) {
  place.dataset.said = bare(place.textContent);
  for (const code of place.querySelectorAll("code")) {
    const verb = /^assent (\w+)$/.exec(code.textContent);
    const [name, ...value] = code.textContent.split("=");
    const control = document.querySelector(`#levers [name="${CSS.escape(name === "group" ? "groups" : name)}"]`);
    const page = verb && elsewhere(verb[1]);
    const first = name === "order" && !place.querySelector("a.order") && document.querySelector("#labels .grip");
    if (page) {
      code.replaceWith(element("a", { href: page.href }, verb[1][0].toUpperCase() + verb[1].slice(1)));
    } else if (first) {
      // Labels are put in order in their list.
      const link = element("a", { href: "#labels", class: "order" }, "the list of labels");
      link.addEventListener("click", (event) => { event.preventDefault(); shown(first); });
      code.replaceWith(link);
    } else if (control) {
      const called = [document.querySelector(`label[for="${CSS.escape(control.id)}"]`).textContent];
      if (value.length) called.push({ True: "yes", False: "no" }[value[0]] || value.join("="));
      const link = element("a", { href: `#${control.id}` }, called.join(": "));
      link.addEventListener("click", (event) => { event.preventDefault(); shown(control); });
      code.replaceWith(link);
    }
  }
}

function shown(control) {
  for (let fold = control.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  control.scrollIntoView({ block: "center" });
  control.focus();
}
