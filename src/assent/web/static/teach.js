// Sliders: the table, the coefficients and the computation follow them.
import { draw } from "./charts.js";
import { askJson, root, told } from "./net.js";

function begin() {
  const form = document.getElementById("sliders");
  let under = null;
  let again = false;

  function query() {
    return new URLSearchParams(new FormData(form));
  }

  // While one answer is under way the sliders move on; the last place counts.
  async function follow() {
    if (under) { again = true; return; }
    under = askJson(`${root}/teach/values?${query()}`);
    try {
      const made = await under;
      document.getElementById("lesson").innerHTML = made.lesson;
      await draw(document.getElementById("curve"), made.chart);
    } catch (error) {
      told(error);
    } finally {
      under = null;
    }
    if (again) { again = false; follow(); }
  }

  form.addEventListener("input", (event) => {
    const out = document.getElementById(`o-${event.target.name}`);
    if (out) out.textContent = event.target.value;
    follow();
  });
  form.addEventListener("change", () => history.replaceState(null, "", `?${query()}`));
  form.addEventListener("submit", (event) => event.preventDefault());
  follow();
}

begin();
