// Adjudication: one person decides where reviewers differ.
import { $, ask, blank, element, isCovered, layOut, paint, stretch, uncover, watch } from "./page.mjs";
import { showSigning, wireSigning } from "./signing.mjs";

const text = $("text");
const state = { differences: [], at: 0, shown: null };
const NAMES = { leak: "It leaks", no_leak: "No leak", right: "Right", wrong_word: "Wrong word", stay: "Should have stayed",
  missed: "missed", nothing: "nothing marked" };

function take(told) {
  state.differences = told.differences;
  const decided = told.differences.filter((one) => one.ruling).length;
  $("progress").max = Math.max(1, told.differences.length);
  $("progress").value = decided;
  $("sentence").textContent = told.differences.length
    ? `${decided} of ${told.differences.length} differences decided` : "The reviewers agree.";
  $("kappa").textContent = told.agreement.map((pair) =>
    `${pair.reviewers.join(" and ")}: kappa ${pair.kappa_leaks_by_note ?? "none"} on leaks, `
    + `${pair.kappa_verdicts_by_change ?? "none"} on changes, ${pair.notes_read_by_both} notes`).join("; ");
}

async function show() {
  const one = state.differences[state.at];
  if (!one) return $("title").replaceChildren("Nothing to decide");
  if (state.shown !== one.number) layOut(await ask(`/api/notes/${one.number}`), text);
  state.shown = one.number;
  $("title").textContent = `${state.at + 1} of ${state.differences.length}: ${one.name}`;
  $("voices").replaceChildren(...one.said.map(([name, verdict, word]) =>
    element("li", {}, `${name}: ${NAMES[verdict] ?? verdict}${word ? ` (${word})` : ""}`)));
  $("options").replaceChildren(...one.options.map((option, at) => {
    const button = element("button", { type: "button", "aria-pressed": String(one.ruling === option), "aria-keyshortcuts": at + 1 },
      `${NAMES[option]} `, element("kbd", {}, String(at + 1)));
    button.addEventListener("click", () => decide(at));
    return button;
  }));
  const ranges = stretch(text, one.column, one.out[0], one.out[1]);
  paint("disputed", ranges);
  ranges[0]?.startContainer.parentElement.scrollIntoView({ block: "center" });
}

async function decide(at) {
  const one = state.differences[state.at];
  if (!one?.options[at]) return;
  try {
    take(await ask(`/api/notes/${one.number}/rule`, { index: state.at, verdict: one.options[at] }));
    $("said").textContent = `Decided: ${NAMES[one.options[at]]}.`;
    const next = state.differences.findIndex((other) => !other.ruling);
    if (next >= 0) state.at = next;
    await show();
  } catch (error) {
    $("said").textContent = `Refused: ${error.message}.`;
  }
}

async function step(by) {
  state.at = Math.min(state.differences.length - 1, Math.max(0, state.at + by));
  await show();
}

document.addEventListener("keydown", (event) => {
  if (isCovered()) { event.preventDefault(); return uncover(); }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "e") { event.preventDefault(); showSigning(); }
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "b") blank();
  else if (/^[1-9]$/.test(event.key)) decide(Number(event.key) - 1);
});
$("previous").addEventListener("click", () => step(-1));
$("next").addEventListener("click", () => step(1));
$("finish").addEventListener("click", showSigning);
wireSigning();
watch();
take(await ask("/api/differences"));
await show();
document.documentElement.dataset.ready = "yes";
