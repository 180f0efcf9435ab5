// The reviewer's page. Every button has a key; the server checks and stores every mark.
import { $, ask, blank, element, isCovered, layOut, paint, rangeOf, selected, stretch, tokensOf, uncover, watch } from "./page.mjs";
import { showSigning, wireSigning } from "./signing.mjs";

const text = $("text");
const state = { note: null, marks: [], words: [], rows: [], from: 0, total: 0, share: false, chosen: -1,
  picking: null, picked: null, seconds: 0, spent: {}, next: null, judging: false };
const VERDICTS = { right: "right", wrong_word: "wrong word", stay: "should have stayed", missed: "missed" };

const say = (words) => { $("said").textContent = words; };
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

// ---- the list --------------------------------------------------------------------------------

async function showList(from = 0) {
  const query = new URLSearchParams(new FormData($("filters")));
  query.set("from", from);
  const told = await ask(`/api/notes?${query}`);
  Object.assign(state, { rows: told.rows, from: told.from, total: told.total });
  const last = told.from + told.rows.length;
  $("total").textContent = told.total ? `${told.from + 1} to ${last} of ${told.total} notes` : "no notes match the filters";
  $("earlier").disabled = told.from === 0;
  $("later").disabled = last >= told.total;
  $("list").replaceChildren(...told.rows.map(listed));
  $("list").scrollTop = 0;
  showCurrent();
}

function listed(row) {
  const sign = row.missed ? "✗" : row.read ? "✓" : "·";
  const spoken = row.missed ? "has a leak" : row.read ? "read" : "not read";
  const button = element("button", { type: "button", "data-number": row.number },
    element("span", { "aria-hidden": "true" }, sign),
    element("span", { class: "name" }, row.record > 1 ? `${row.name} ${row.record}` : row.name),
    element("span", {}, String(row.changes)));
  button.setAttribute("aria-label", `${row.name} record ${row.record}, ${row.changes} changes, ${spoken}`);
  return element("li", {}, button);
}

function showCurrent() {
  for (const button of $("list").querySelectorAll("button")) {
    const current = state.note && Number(button.dataset.number) === state.note.number;
    if (current) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    if (current && !isSeen(button)) button.scrollIntoView({ block: "nearest" });
  }
}

function isSeen(button) {
  const box = $("list").getBoundingClientRect();
  const own = button.getBoundingClientRect();
  return own.top >= box.top && own.bottom <= box.bottom;
}

function refreshRow() {
  const place = state.rows.findIndex((row) => row.number === state.note.number);
  if (place < 0) return;
  const row = state.rows[place];
  row.read = state.note.read;
  row.missed = state.marks.some((mark) => mark.verdict === "missed");
  $("list").children[place].replaceWith(listed(row));
  showCurrent();
}

async function step(by) {
  const place = state.rows.findIndex((row) => row.number === state.note?.number);
  let target = place + by;
  if (target >= state.rows.length && state.from + state.rows.length < state.total) {
    await showList(state.from + state.rows.length);
    target = 0;
  } else if (target < 0 && state.from > 0) {
    await showList(Math.max(0, state.from - state.rows.length));
    target = state.rows.length - 1;
  }
  if (state.rows[target]) await open(state.rows[target].number);
  else say(by > 0 ? "This is the last note in the list." : "This is the first note in the list.");
}

// ---- a note ----------------------------------------------------------------------------------

async function open(number) {
  stopPicking();
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
  showCurrent();
}

function findings() {
  return [...text.querySelectorAll(".after mark")].map((mark) => ({
    mark, column: Number(mark.closest(".cell").dataset.column), change: Number(mark.dataset.change) }));
}

function changeOf(found) {
  const cell = state.note.cells.find((one) => one.column === found.column);
  return cell.changes.find((change) => change.change === found.change);
}

function markOf(found) {
  return state.marks.find((mark) => mark.column === found.column && mark.change === found.change);
}

function showMarks() {
  for (const found of findings()) {
    const own = markOf(found);
    if (own) found.mark.dataset.verdict = own.verdict;
    else delete found.mark.dataset.verdict;
  }
  const missed = state.marks.filter((mark) => mark.verdict === "missed");
  paint("missed", missed.flatMap((mark) => stretch(text, mark.column, mark.start, mark.end)));
}

function walk(by) {
  const all = findings();
  if (!all.length) return say("This note has no finding.");
  const next = Math.min(all.length - 1, Math.max(0, state.chosen + by));
  if (next === state.chosen) return say(by > 0 ? "That was the last finding." : "That was the first finding.");
  state.chosen = next;
  showChosen();
  say("");
}

function showChosen() {
  text.querySelectorAll("mark.chosen").forEach((mark) => mark.classList.remove("chosen"));
  const found = findings()[state.chosen];
  for (const id of ["right", "wrong", "stay"]) $(id).disabled = !found || state.share;
  if (!found) {
    const count = findings().length;
    $("what").textContent = `${count} findings; press j for the first.`;
    return;
  }
  const twin = found.mark.closest(".row").querySelector(`.before mark[data-change="${found.change}"]`);
  for (const mark of [found.mark, twin]) mark?.classList.add("chosen");
  found.mark.scrollIntoView({ block: "nearest" });
  const told = changeOf(found);
  const own = markOf(found);
  const verdict = own ? `; marked ${VERDICTS[own.verdict]}${own.verdict === "wrong_word" ? `: ${own.word}` : ""}` : "";
  $("what").textContent = `${state.chosen + 1} of ${findings().length}: ${told.word} (${told.entity || "column"}), `
    + `${told.transform}, leaves ${told.left}, found by ${told.source}, score ${told.score}${verdict}`;
}

// ---- marks -----------------------------------------------------------------------------------

async function act(path, body, told) {
  try {
    const answer = await ask(path, body);
    state.next = answer.next;
    if (answer.number !== state.note.number) await open(answer.number);
    state.marks = answer.marks;
    state.note.read = answer.read;
    showStanding(answer.standing);
    showMarks();
    showChosen();
    refreshRow();
    say(told);
    return true;
  } catch (error) {
    say(`Refused: ${error.message}.`);
    return false;
  }
}

async function judge(verdict, word = "") {
  const found = findings()[state.chosen];
  if (!found || state.share) return;
  const body = { column: found.column, change: found.change, verdict, word };
  if (await act(`/api/notes/${state.note.number}/judge`, body, `Marked ${VERDICTS[verdict]}.`)) {
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
  await act(`/api/notes/${state.note.number}/miss`, { column, side, start, end, word }, `Marked missed: ${word}.`);
}

function miss() {
  if (state.share) return say("Marking is off while sharing.");
  const mouse = selected(text);
  if (mouse) return choose(mouse);
  startPicking("after");
}

// ---- picking text by keyboard ----------------------------------------------------------------

function startPicking(side) {
  const tokens = tokensOf(text, side);
  if (!tokens.length) return say("There is no text to select on this side.");
  const found = findings()[state.chosen];
  const near = state.picking ? state.picking.tokens[state.picking.head].row
    : found ? [...text.querySelectorAll(".row")].indexOf(found.mark.closest(".row")) : 0;
  const head = Math.max(0, tokens.findIndex((token) => token.row >= near));
  state.picking = { side, tokens, head, tail: head };
  showPicking();
}

function stopPicking() {
  state.picking = null;
  paint("picking", []);
}

function showPicking() {
  const { tokens, head, tail } = state.picking;
  const chosen = tokens.slice(Math.min(head, tail), Math.max(head, tail) + 1);
  paint("picking", chosen.map(rangeOf));
  tokens[head].node.parentElement.scrollIntoView({ block: "nearest" });
  say(`Selected: ${chosen.map((token) => token.text).join(" ")}`);
}

function pickKey(event) {
  const picking = state.picking;
  const moves = { ArrowRight: 1, ArrowLeft: -1 };
  if (event.key === "Escape") { stopPicking(); say("Selection canceled."); }
  else if (event.key === "o") startPicking(state.note.originals && picking.side === "after" ? "before" : "after");
  else if (event.key === "Enter") {
    const [first, last] = [Math.min(picking.head, picking.tail), Math.max(picking.head, picking.tail)].map((at) => picking.tokens[at]);
    if (first.column !== last.column) return say("A selection must stay within one cell.");
    choose({ side: picking.side, column: first.column, start: first.start, end: last.end,
      text: $("said").textContent.replace("Selected: ", "") });
  } else if (event.key in moves) move(picking.head + moves[event.key], event.shiftKey);
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    move(lineAway(event.key === "ArrowDown" ? 1 : -1), event.shiftKey);
  } else return false;
  return true;
}

function move(to, growing) {
  const picking = state.picking;
  picking.head = Math.min(picking.tokens.length - 1, Math.max(0, to));
  if (!growing) picking.tail = picking.head;
  showPicking();
}

function lineAway(by) {
  const { tokens, head } = state.picking;
  const row = tokens[head].row;
  const first = tokens.findIndex((token) => token.row === row);
  const rows = tokens.map((token) => token.row).filter((one) => (by > 0 ? one > row : one < row));
  if (!rows.length) return head;
  const wanted = by > 0 ? Math.min(...rows.slice(0, 1)) : rows[rows.length - 1];
  const inRow = tokens.map((token, at) => [token.row, at]).filter(([one]) => one === wanted).map(([, at]) => at);
  return inRow[Math.min(inRow.length - 1, head - first)];
}

// ---- the rest --------------------------------------------------------------------------------

async function done() {
  if (state.share || !state.note) return say("Marking is off while sharing.");
  const seconds = state.seconds + 1;  // count the current second; the server measures exactly
  if (!await act(`/api/notes/${state.note.number}/read`, { seconds }, "Read.")) return;
  state.seconds = 0;
  if (state.next === null) say("All notes in the sample are read.");
  else {
    await open(state.next);
    if (!state.rows.some((row) => row.number === state.next)) await showList(0);
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
  for (const id of ["missed", "undo", "comment", "done"]) $(id).disabled = state.share;
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
  if (words) await act(`/api/notes/${state.note.number}/comment`, { text: words }, "Comment kept.");
}

function comment() {
  if (!state.comments) return say("Comments are stored only sealed: start the review with --key-file.");
  $("words-of").value = "";
  $("writing").showModal();
}

const ACTS = {
  j: () => walk(1), k: () => walk(-1), n: () => step(1), p: () => step(-1), d: done, m: miss,
  1: () => judge("right"), 2: () => findings()[state.chosen] && !state.share && choose(null), 3: () => judge("stay"),
  u: () => act("/api/undo", {}, "Undone."), c: comment, l: only, s: share, b: blank, e: finish,
  f: () => $("filters").elements.view.focus(), "/": () => $("search").focus(), "?": () => $("keys").showModal(),
};
const BUTTONS = { previous: "p", next: "n", done: "d", right: "1", wrong: "2", stay: "3", missed: "m", undo: "u", comment: "c", only: "l", share: "s", finish: "e", help: "?" };

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
  if (state.picking && pickKey(event)) return event.preventDefault();
  const act = ACTS[event.key];
  if (!act || !$("single").checked || (state.picking && event.key !== "?")) return;
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
  $("earlier").addEventListener("click", () => run(() => showList(Math.max(0, state.from - 200))));
  $("later").addEventListener("click", () => run(() => showList(state.from + state.rows.length)));
  text.addEventListener("click", (event) => {
    const mark = event.target.closest("mark");
    if (!mark) return;
    state.chosen = findings().findIndex((found) => found.change === Number(mark.dataset.change)
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
  showStanding(told.standing);
  showShare();
  await showList(0);
  const first = told.next ?? state.rows[0]?.number;
  if (first !== undefined) await open(first);
  setInterval(tick, 1000);
  document.documentElement.dataset.ready = "yes";
}

begin();
