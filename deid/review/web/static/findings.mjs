// The findings of a note: the changes and the marks on them, the one chosen, and how they show.
import { $, characters, paint, say, stretch } from "./page.mjs";

const text = $("text");
export const state = { note: null, marks: [], words: [], share: false, chosen: -1, picked: null, seconds: 0, spent: {}, next: null };
export const VERDICTS = { right: "right", wrong_word: "wrong category", stay: "should have stayed", edges: "other edges", missed: "missed" };

// What can be chosen, in the order of the text: changes, and own marks of missed text.
export function findings() {
  const order = state.note.cells.map((cell) => cell.column);
  const changes = [...text.querySelectorAll(".after mark")].map((mark) => ({ mark, at: Number(mark.dataset.start),
    column: Number(mark.closest(".cell").dataset.column), change: Number(mark.dataset.change) }));
  const missed = state.marks.filter((mark) => mark.verdict === "missed")
    .map((own) => ({ own, at: own.start, column: own.column, change: -1 }));
  return [...changes, ...missed].sort((one, other) =>
    order.indexOf(one.column) - order.indexOf(other.column) || one.at - other.at);
}

export const isSame = (one, other) => one.column === other.column && one.change === other.change && one.own?.id === other.own?.id;

function changeOf(found) {
  const cell = state.note.cells.find((one) => one.column === found.column);
  return cell.changes.find((change) => change.change === found.change);
}

export function markOf(found) {
  return found.own ?? state.marks.find((mark) => mark.column === found.column && mark.change === found.change);
}

export function showMarks() {
  for (const found of findings().filter((one) => one.mark)) {
    const own = markOf(found);
    if (own) found.mark.dataset.verdict = own.verdict;
    else delete found.mark.dataset.verdict;
  }
  const of = (verdict) => state.marks.filter((mark) => mark.verdict === verdict);
  paint("missed", of("missed").flatMap((mark) => stretch(text, mark.column, mark.start, mark.end)));
  paint("edges", of("edges").filter((mark) => mark.original)
    .flatMap((mark) => stretch(text, mark.column, ...mark.original, "before")));
}

export function walk(by) {
  const all = findings();
  if (!all.length) return say("This note has no finding.");
  const next = Math.min(all.length - 1, Math.max(0, state.chosen + by));
  if (next === state.chosen) return say(by > 0 ? "That was the last finding." : "That was the first finding.");
  state.chosen = next;
  showChosen();
  return say("");
}

export function showChosen() {
  text.querySelectorAll("mark.chosen").forEach((mark) => mark.classList.remove("chosen"));
  const all = findings();
  const found = all[state.chosen];
  for (const id of ["right", "wrong", "stay"]) $(id).disabled = !found?.mark || state.share;
  $("edges").disabled = !found || state.share;
  paint("chosen", found?.own ? stretch(text, found.column, found.own.start, found.own.end) : []);
  if (!found) {
    $("what").textContent = `${all.length} findings; press j for the first.`;
    return;
  }
  const place = `${state.chosen + 1} of ${all.length}`;
  if (found.own) {
    stretch(text, found.column, found.own.start, found.own.end)[0]?.startContainer.parentElement.scrollIntoView({ block: "nearest" });
    $("what").textContent = `${place}: marked missed: ${found.own.word}${found.own.alike ? " (with All alike)" : ""}`;
    return;
  }
  const twin = found.mark.closest(".row").querySelector(`.before mark[data-change="${found.change}"]`);
  for (const mark of [found.mark, twin]) mark?.classList.add("chosen");
  found.mark.scrollIntoView({ block: "nearest" });
  const told = changeOf(found);
  const own = markOf(found);
  const verdict = own ? `; marked ${VERDICTS[own.verdict]}${own.verdict === "wrong_word" ? `: ${own.word}` : ""}` : "";
  $("what").textContent = `${place}: ${told.word} (${told.entity || "column"}), `
    + `${told.transform}, leaves ${told.left}, found by ${told.source}, score ${told.score}${verdict}`;
}

// Edges are set in the original, where the whole text is; without it, in the scrubbed text.
export function spanOf(found, own) {
  const corrected = own && ["edges", "missed"].includes(own.verdict) ? own.original : null;
  if (corrected) return { side: "before", start: corrected[0], end: corrected[1] };
  if (found.own) return { side: "after", start: found.own.start, end: found.own.end };
  const twin = found.mark.closest(".row").querySelector(`.before mark[data-change="${found.change}"]`);
  const start = Number((twin ?? found.mark).dataset.start);
  return { side: twin ? "before" : "after", start, end: start + characters((twin ?? found.mark).textContent) };
}

// The line of the page on which a finding stands.
export function lineOf(found) {
  const part = found.mark ?? stretch(text, found.column, found.own.start, found.own.end)[0]?.startContainer.parentElement;
  return part?.closest(".row");
}
