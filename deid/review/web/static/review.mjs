// The reviewer's page. Every button has a key; the server checks and stores every mark.
import { edgeKey, isEditing, startEdges, stopEdges } from "./edges.mjs";
import { VERDICTS, findings, isSame, lineOf, markOf, showChosen, showMarks, spanOf, state, walk } from "./findings.mjs";
import { away, firstListed, isListed, refreshRow, showCurrent, showEarlier, showLater, showList } from "./list.mjs";
import { $, ask, blank, commentItems, element, isCovered, layOut, say, selected, uncover, watch } from "./page.mjs";
import { isPicking, pickKey, startPicking, stopPicking } from "./picking.mjs";
import { showSigning, wireSigning } from "./signing.mjs";

const text = $("text");
const percent = (share) => (share < 0.095 ? `${(100 * share).toPrecision(2)} %` : `${Math.round(100 * share)} %`);

// ---- figures ---------------------------------------------------------------------------------

function showStanding(standing) {
  $("sentence").textContent = standing.sentence;
  $("progress").max = standing.notes_planned;
  $("progress").value = standing.notes_read;
  const words = Object.entries(standing.by_word).map(([word, found]) => `${word} at most ${percent(found.upper_bound)}`);
  $("counted").textContent = `${standing.notes_read} of ${standing.notes_planned}${words.length ? `; ${words.join(", ")}` : ""}`;
}

function tick() {
  if (document.hidden || isCovered() || !state.note) return;
  state.seconds += 1;
  $("clock").textContent = `${Math.floor(state.seconds / 60)}:${String(state.seconds % 60).padStart(2, "0")}`;
}

// ---- a note ----------------------------------------------------------------------------------

async function step(by) {
  const number = await away(by);
  if (number !== undefined) await open(number);
  else say(by > 0 ? "This is the last note in the list." : "This is the first note in the list.");
}

async function open(number) {
  stopPicking();
  stopEdges();
  if (state.note) state.spent[state.note.number] = state.seconds;
  state.note = await ask(`/api/notes/${number}`);
  state.marks = state.note.marks;
  state.chosen = -1;
  state.seconds = state.spent[number] ?? 0;
  layOut(state.note, text);
  const place = state.note.sample ? `sample ${state.note.sample}` : "not in the sample";
  $("title").textContent = `${state.note.name}, record ${state.note.record} (${place})`;
  const hidden = state.note.cells.reduce((sum, cell) => sum + cell.hidden, 0);
  $("warning").hidden = !hidden;
  $("warning").textContent = `${hidden} hidden or direction-changing characters are shown as ◆.`;
  showMarks();
  showChosen();
  showCurrent(number);
}

// ---- marks -----------------------------------------------------------------------------------

async function act(path, body, told) {
  try {
    const chosen = findings()[state.chosen];
    const answer = await ask(path, body);
    state.next = answer.next;
    if (answer.number !== state.note.number) await open(answer.number);
    state.marks = answer.marks;
    state.note.comments = answer.comments;
    state.note.read = answer.read;
    showStanding(answer.standing);
    if (chosen) state.chosen = findings().findIndex((one) => isSame(one, chosen));
    showMarks();
    showChosen();
    refreshRow(state.note.number, answer.read, state.marks.some((mark) => mark.verdict === "missed"));
    say(answer.said ? `${answer.said}.` : told);
    return true;
  } catch (error) {
    say(`Refused: ${error.message}.`);
    return false;
  }
}

const onNote = (what, body, told) => act(`/api/notes/${state.note.number}/${what}`, body, told);

async function judge(verdict, word = "") {
  const found = findings()[state.chosen];
  if (!found?.mark || state.share) return;
  const body = { column: found.column, change: found.change, verdict, word };
  if (await onNote("judge", body, `Marked ${VERDICTS[verdict]}.`)) {
    if (state.chosen < findings().length - 1) { state.chosen += 1; showChosen(); }
  }
}

function choose(picked) {
  state.picked = picked;
  $("picked").textContent = picked ? `“${picked.text}”` : "";
  $("words").showModal();
}

async function chosenWord(word) {
  $("words").close();
  const picked = state.picked;
  state.picked = null;
  if (!picked) return judge("wrong_word", word);
  stopPicking();
  window.getSelection().removeAllRanges();
  const { column, side, start, end } = picked;
  if (await onNote("miss", { column, side, start, end, word }, `Marked missed: ${word}.`)) chooseLast();
  return undefined;
}

// The mark just made is the one chosen, so that its edges can be moved.
function chooseLast() {
  const last = Math.max(...state.marks.map((mark) => mark.id));
  const at = findings().findIndex((one) => one.own?.id === last);
  if (at >= 0) state.chosen = at;
  showChosen();
}

function miss() {
  if (state.share) return say("Marking is off while sharing.");
  const mouse = selected(text);
  if (mouse) return choose(mouse);
  const found = findings()[state.chosen];
  const line = found && lineOf(found);
  return startPicking("after", line ? [...text.querySelectorAll(".row")].indexOf(line) : 0);
}

async function alike(scope) {
  if (state.share) return say("Marking is off while sharing.");
  return onNote("alike", { scope }, "");
}

// ---- edges -----------------------------------------------------------------------------------

function edges() {
  const found = findings()[state.chosen];
  if (!found || state.share) return say("Choose a finding first.");
  const own = markOf(found);
  const span = spanOf(found, own);
  return startEdges({ ...span, column: found.column }, (kept) => {
    if (kept.start === span.start && kept.end === span.end) return say("The edges are unchanged.");
    const body = { ...kept, change: found.change, mark: found.own?.id ?? -1 };
    return run(async () => {
      if (await onNote("edges", body, "The edges are set.") && found.own) chooseLast();
    });
  });
}

// ---- the rest --------------------------------------------------------------------------------

async function done() {
  if (state.share || !state.note) return say("Marking is off while sharing.");
  const seconds = state.seconds + 1;  // count the current second; the server measures exactly
  if (!await onNote("read", { seconds }, "Read.")) return;
  state.seconds = 0;
  if (state.next === null) say("All notes in the sample are read.");
  else {
    await open(state.next);
    if (!isListed(state.next)) await showList(0);
    say("Marked read. This is the next note in the sample.");
    $("title").focus();
  }
}

async function share() {
  try {
    state.share = (await ask("/api/share", { on: !state.share })).share;
  } catch { return say("This server only allows sharing."); }
  $("search").value = "";
  showShare();
  await showList(0);
  await open(state.note.number);
  say(state.share ? "Sharing: only the scrubbed side is shown; safe to project." : "Both sides are shown.");
}

function showShare() {
  $("share").setAttribute("aria-pressed", String(state.share));
  for (const id of ["missed", "undo", "comment", "done", "alike", "alike-sample"]) $(id).disabled = state.share;
  $("comment").disabled = state.share || !state.comments;
}

function finish() {
  if (state.share) return say("Signing is off while sharing.");
  return showSigning();
}

async function find() {
  const { notes } = await ask("/api/search", { text: $("search").value });
  await showList(0);
  say(notes === null ? "All notes are listed." : `${notes} notes hold that text.`);
}

function only() {
  const on = text.classList.toggle("only");
  $("only").setAttribute("aria-pressed", String(on));
  say(on ? "Only changed lines are shown." : "All lines are shown.");
}

async function keep() {
  const words = $("words-of").value.trim();
  $("writing").close();
  if (words) await onNote("comment", { text: words }, "Comment saved.");
}

function comment() {
  if (!state.comments) return say("Comments are stored only encrypted: start the review with --key-file.");
  $("words-of").value = "";
  $("written").replaceChildren(...commentItems(state.note));
  $("writing").showModal();
}

const ACTS = {
  j: () => walk(1), k: () => walk(-1), n: () => step(1), p: () => step(-1), d: done, m: miss, x: edges,
  a: () => alike("note"), A: () => alike("sample"),
  1: () => judge("right"), 2: () => findings()[state.chosen]?.mark && !state.share && choose(null), 3: () => judge("stay"),
  u: () => act("/api/undo", {}, "Undone."), c: comment, l: only, s: share, b: blank, e: finish,
  f: () => $("filters").elements.view.focus(), "/": () => $("search").focus(), "?": () => $("keys").showModal(),
};
const BUTTONS = { previous: "p", next: "n", done: "d", right: "1", wrong: "2", stay: "3", missed: "m", edges: "x", alike: "a", "alike-sample": "A", undo: "u", comment: "c", only: "l", share: "s", finish: "e", help: "?" };

// Keys pressed during a server request are queued.
let busy = false;
const waiting = [];

async function run(act) {
  busy = true;
  try { await act(); } finally { busy = false; }
  while (waiting.length && !busy) onKey(waiting.shift());
}

function onKey(event) {
  if (isCovered()) { event.preventDefault(); return uncover(); }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, select, textarea")) {
    if (event.key === "Escape") text.focus();
    return;
  }
  if (busy) {
    if (event.key.length > 1 && !event.key.startsWith("Arrow")) return;
    event.preventDefault();
    waiting.push({ key: event.key, shiftKey: event.shiftKey, target: document.body, preventDefault() {} });
    return;
  }
  if ($("words").open) return wordKey(event);
  if (document.querySelector("dialog[open]")) return;
  if (isPicking() && pickKey(event, state.note.originals, choose)) return event.preventDefault();
  if (isEditing() && edgeKey(event)) return event.preventDefault();
  const act = ACTS[event.key];
  if (!act || !$("single").checked || ((isPicking() || isEditing()) && event.key !== "?")) return;
  event.preventDefault();
  run(act);
}

function wordKey(event) {
  const at = event.key.length === 1 ? "abcdefghijklmnopqr".indexOf(event.key) : -1;
  if (at < 0) return;
  event.preventDefault();
  run(() => chosenWord(state.words[at][0]));
}

function wire() {
  for (const [id, key] of Object.entries(BUTTONS)) $(id).addEventListener("click", () => run(ACTS[key]));
  document.addEventListener("keydown", onKey);
  $("filters").addEventListener("change", () => run(() => showList(0)));
  $("search").addEventListener("change", () => run(find));
  $("filters").addEventListener("submit", (event) => { event.preventDefault(); showList(0); });
  $("list").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) run(() => open(Number(button.dataset.number)));
  });
  $("earlier").addEventListener("click", () => run(showEarlier));
  $("later").addEventListener("click", () => run(showLater));
  text.addEventListener("click", (event) => {
    const mark = event.target.closest("mark");
    if (!mark || isEditing()) return;
    state.chosen = findings().findIndex((found) => found.mark && found.change === Number(mark.dataset.change)
      && found.column === Number(mark.closest(".cell").dataset.column));
    showChosen();
  });
  // A button takes the focus but keeps the mouse selection.
  $("missed").addEventListener("mousedown", (event) => event.preventDefault());
  $("words-close").addEventListener("click", () => $("words").close());
  $("keys-close").addEventListener("click", () => $("keys").close());
  $("drop").addEventListener("click", () => $("writing").close());
  $("keep").addEventListener("click", keep);
  $("words-of").addEventListener("keydown", (event) => { 
    if (event.key !== "Enter" || !event.ctrlKey) return;
    event.stopPropagation();
    keep();
  });
}

async function begin() {
  watch();
  wire();
  wireSigning();
  const told = await ask("/api/start");
  Object.assign(state, { words: told.words, share: told.share, comments: told.comments });
  const add = (name, values) => $("filters").elements[name].append(...values.map((one) => element("option", { value: one }, one)));
  add("word", told.words.map(([word]) => word));
  add("source", told.sources);
  add("stratum", told.strata);
  $("choices").append(...told.words.map(([word, heading], at) => {
    const button = element("button", { type: "button", title: heading },
      element("kbd", {}, "abcdefghijklmnopqr"[at]), ` ${word}`);
    button.addEventListener("click", () => run(() => chosenWord(word)));
    return button;
  }));
  $("filters").elements.view.querySelector("[value=mine]").hidden = !told.divided;
  $("filters").elements.view.value = told.divided ? "mine" : "sample";
  showStanding(told.standing);
  showShare();
  await showList(0);
  const first = told.next ?? firstListed();
  if (first !== undefined) await open(first);
  setInterval(tick, 1000);
  document.documentElement.dataset.ready = "yes";
}

begin();
