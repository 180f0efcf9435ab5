// Adjudication: one person decides where reviewers differ.
import { $, ask, blank, commentItems, element, isCovered, layOut, paint, stretch, uncover, watch } from "./page.mjs";
import { showSigning, wireSigning } from "./signing.mjs";

const text = $("text");
const state = { differences: [], at: 0, shown: null, comments: [] };
const NAMES = { leak: "It leaks", no_leak: "No leak", right: "Right", wrong_word: "Wrong category", stay: "Should have stayed",
  edges: "Other edges", missed: "missed", nothing: "nothing marked" };
const kappaOf = (kappa) => (kappa === null ? "none" : kappa.toFixed(2));

function take(told) {
  state.differences = told.differences;
  const decided = told.differences.filter((one) => one.ruling).length;
  $("progress").max = Math.max(1, told.differences.length);
  $("progress").value = decided;
  $("sentence").textContent = told.differences.length
    ? `${decided} of ${told.differences.length} differences decided` : "The reviewers agree.";
  $("readers").tBodies[0].replaceChildren(...told.readers.map(reader));
  $("divided").textContent = told.overlap === null || told.overlap === 1 ? `All reviewers read the ${told.sample} notes of the sample.`
    : `All reviewers read ${Math.round(100 * told.overlap)} % of ${told.sample} notes; the rest is divided among them.`;
  $("kappa").textContent = told.agreement.map((pair) =>
    `${pair.reviewers.join(" and ")}: kappa ${kappaOf(pair.kappa_leaks_by_note)} on leaks, `
    + `${kappaOf(pair.kappa_verdicts_by_change)} on changes, ${pair.notes_read_by_both} notes`).join("; ")
    || "No note was read by two reviewers.";
  $("pairs").replaceChildren(...told.agreement.filter((pair) => Object.keys(pair.by_word).length).map(pairTable));
  $("differences").replaceChildren(...told.differences.map((one, at) => {
    const button = element("button", { type: "button", "data-at": at },
      element("span", { "aria-hidden": "true" }, one.ruling ? "✓" : "·"),
      element("span", { class: "name" }, `${one.name}: ${one.word}`),
      element("span", {}, one.ruling ? NAMES[one.ruling] : "open"));
    button.addEventListener("click", () => { state.at = at; show(); });
    return element("li", {}, button);
  }));
}

function reader(one) {
  const count = (verdict) => Object.values(one.marks).reduce((sum, marks) => sum + (marks[verdict] ?? 0), 0);
  const others = ["wrong_word", "stay", "edges"].reduce((sum, verdict) => sum + count(verdict), 0);
  const hurried = one.notes_hurried ? `, ${one.notes_hurried} too fast` : "";
  return element("tr", {}, element("th", { scope: "row" }, one.reviewer),
    ...[`${one.notes_read} of ${one.notes_assigned}${hurried}`, one.minutes, one.words_a_minute ?? "none", count("missed"), others]
      .map((cell) => element("td", {}, String(cell))));
}

// One table for two reviewers: what they said of each identifier.
function pairTable(pair) {
  const [first, second] = pair.reviewers;
  const head = ["Identifier", "Judged", "Agreed", `Missed: ${first}`, `Missed: ${second}`, "Kappa"];
  const rows = Object.entries(pair.by_word).map(([word, found]) => element("tr", {},
    element("th", { scope: "row" }, word),
    ...[found.subjects, found.agreed, ...found.missed, kappaOf(found.kappa)].map((cell) => element("td", {}, String(cell)))));
  return element("table", {}, element("caption", {}, `${first} and ${second}`),
    element("thead", {}, element("tr", {}, ...head.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, ...rows));
}

async function show() {
  const one = state.differences[state.at];
  if (!one) return $("title").replaceChildren("Nothing to decide");
  if (state.shown !== one.number) {
    const note = await ask(`/api/notes/${one.number}`);
    layOut(note, text);
    state.comments = note.comments;
  }
  state.shown = one.number;
  for (const button of $("differences").querySelectorAll("button")) {
    if (Number(button.dataset.at) === state.at) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
  $("title").textContent = `${state.at + 1} of ${state.differences.length}: ${one.name}`;
  $("voices").replaceChildren(...one.said.map(([name, verdict, word]) =>
    element("li", {}, `${name}: ${NAMES[verdict] ?? verdict}${word ? ` (${word})` : ""}`)), ...commentItems(state));
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
take(await ask("/api/team"));
await show();
document.documentElement.dataset.ready = "yes";
