// Requests to the server, and its sentences when one fails.
export const root = document.body.dataset.root;
export const session = document.body.dataset.session;

export function here(verb, rest = "") {
  return `${root}/s/${session}/${verb}${rest}`;
}

// The address of another page with what it takes along of this one.
export function elsewhere(verb) {
  const link = document.querySelector(`#navigation [data-verb="${CSS.escape(verb)}"]`);
  return link ? new URL(link.href) : null;
}

// On a phone the names of the pages are a strip: the one that is open stands within it.
export function inSight() {
  const open = document.querySelector("#navigation [aria-current]");
  const strip = open && open.closest(".verbs > ul");
  if (strip) strip.scrollLeft = open.offsetLeft - strip.offsetLeft - (strip.clientWidth - open.offsetWidth) / 2;
}

export async function ask(address, options = {}) {
  let answer;
  try {
    answer = await fetch(address, { credentials: "omit", ...options });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("assent does not answer: it was stopped. Start it again.");
  }
  if (!answer.ok) {
    const said = await answer.json().catch(() => ({}));
    throw new Error(said.error || `The request failed (${answer.status}).`);
  }
  return answer;
}

export async function askJson(address, options) {
  return (await ask(address, options)).json();
}

// An answer that comes line by line.
export async function* lines(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    rest += value;
    const parts = rest.split("\n");
    rest = parts.pop();
    for (const part of parts) if (part) yield JSON.parse(part);
  }
  if (rest) yield JSON.parse(rest);
}

export function say(sentence) {
  const place = document.getElementById("message");
  place.textContent = sentence;
  place.hidden = !sentence;
}

export function told(error) {
  if (error.name !== "AbortError") say(error.message);
}

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}
