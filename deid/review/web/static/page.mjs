// Shared by both pages: server requests, note layout, screen blanking. Text is only inserted
// as text, never as HTML.

const root = document.documentElement;
root.dataset.proof = localStorage.getItem("proof") ?? "";
export const $ = (id) => document.getElementById(id);
export const say = (words) => { $("said").textContent = words; };

export async function ask(path, body) {
  const proof = { "x-review-proof": root.dataset.proof };
  const options = body === undefined ? { headers: proof } : {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...proof },
  };
  const answer = await fetch(path, { ...options, cache: "no-store" });
  if (answer.status === 401 || !root.dataset.proof) showLocked();
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.error);
  return told;
}

// The comments on a note, as items of a list.
export const commentItems = (note) => note.comments.map(({ reviewer, text }) => element("li", {}, `${reviewer} wrote: ${text}`));

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export const characters = (text) => [...text].length;

// A note: cells, lines, parts. Each part knows its start in its own text, in code points.
export function layOut(note, into) {
  into.replaceChildren();
  into.classList.toggle("alone-side", !note.originals);
  into.append(element("div", { class: "head" }, element("span", {}, "Line"),
    ...(note.originals ? [element("span", {}, "Original")] : []), element("span", {}, "Scrubbed")));
  for (const cell of note.cells) {
    const words = new Map(cell.changes.map((change) => [change.change, change]));
    const box = element("div", { class: "cell", "data-column": cell.column });
    if (note.cells.length > 1) box.append(element("h3", {}, cell.header));
    for (let first = 0; first < cell.lines.length; first += 40) {
      const block = element("div", { class: first + 40 < cell.lines.length ? "block" : "block last" });
      cell.lines.slice(first, first + 40).forEach((line, at) => {
        block.append(row(first + at + 1, line, words));
      });
      box.append(block);
    }
    into.append(box);
  }
  into.scrollTop = 0;
}

function row(number, [before, after], words) {
  const changed = after.some((part) => part[2] >= 0);
  const made = element("div", { class: changed ? "row changed" : "row" }, element("i", {}, String(number)));
  if (before) made.append(element("span", { class: "before" }, ...before.map((p) => partOf(p, words, false))));
  made.append(element("span", { class: "after" }, ...after.map((p) => partOf(p, words, true))));
  return made;
}

function partOf([start, text, change], words, isAfter) {
  if (change < 0) return element("span", { "data-start": start }, text);
  const told = words.get(change);
  const label = `${told.word}, ${told.transform}, score ${told.score}`;
  return element("mark", { class: told.word, "data-start": start, "data-change": change, title: label,
    ...(isAfter ? { role: "mark", "aria-label": text ? `${text}: ${told.word}` : `${told.word} removed` } : {}) }, text);
}

// Every word and mark of unchanged text on one side, as ranges with offsets.
export function tokensOf(into, side) {
  const tokens = [];
  into.querySelectorAll(".row").forEach((line, row) => {
    for (const part of line.querySelectorAll(`.${side} span[data-start]`)) {
      const node = part.firstChild;
      if (!node) continue;
      const text = node.data;
      let at = Number(part.dataset.start);
      let from = 0;
      for (const found of text.matchAll(/[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu)) {
        at += characters(text.slice(from, found.index));
        from = found.index + found[0].length;
        const start = at;
        at += characters(found[0]);
        tokens.push({ node, from: found.index, to: from, start, end: at, row, text: found[0],
          column: Number(part.closest(".cell").dataset.column) });
      }
    }
  });
  return tokens;
}

export function rangeOf(token) {
  const range = new Range();
  range.setStart(token.node, token.from);
  range.setEnd(token.node, token.to);
  return range;
}

// The ranges of a stretch of one side, across parts and lines.
export function stretch(into, column, start, end, side = "after") {
  const ranges = [];
  for (const part of into.querySelectorAll(`.cell[data-column="${column}"] .${side} [data-start]`)) {
    const node = part.firstChild;
    if (!node) continue;
    const first = Number(part.dataset.start);
    const signs = [...node.data];
    if (first >= end || first + signs.length <= start) continue;
    const range = new Range();
    range.setStart(node, signs.slice(0, Math.max(0, start - first)).join("").length);
    range.setEnd(node, signs.slice(0, end - first).join("").length);
    ranges.push(range);
  }
  return ranges;
}

// The mouse selection: side, column, offsets; null if it is not one piece of text.
export function selected(into) {
  const selection = window.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const ends = [[range.startContainer, range.startOffset], [range.endContainer, range.endOffset]];
  const spots = ends.map(([node, offset]) => {
    const part = node.nodeType === Node.TEXT_NODE ? node.parentElement.closest("[data-start]") : null;
    if (!part || !into.contains(part)) return null;
    return { side: part.closest(".before") ? "before" : "after",
      column: Number(part.closest(".cell").dataset.column),
      at: Number(part.dataset.start) + characters(node.data.slice(0, offset)) };
  });
  const [from, to] = spots;
  if (!from || !to || from.side !== to.side || from.column !== to.column || from.at >= to.at) return null;
  return { side: from.side, column: from.column, start: from.at, end: to.at, text: selection.toString() };
}

export function paint(name, ranges) {
  if (!("highlights" in CSS)) return;
  if (ranges.length) CSS.highlights.set(name, new Highlight(...ranges));
  else CSS.highlights.delete(name);
}

// ---- blanking and locking --------------------------------------------------------------------

let locked = false;
export const isCovered = () => !$("cover").hidden;

export function blank() {
  document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close());
  $("cover").hidden = false;
}

export function uncover() {
  if (!locked) $("cover").hidden = true;
}

function showLocked() {
  locked = true;
  if (localStorage.getItem("proof") === root.dataset.proof) localStorage.removeItem("proof");
  root.dataset.ready = "yes";
  blank();
  $("covered").textContent = "Locked. To continue, open the new link in the terminal. All marks are kept.";
  document.querySelectorAll("#text, #list").forEach((part) => part.replaceChildren());
}

export async function lock() {
  const gone = ask("/api/lock", {}).catch(() => {});
  showLocked();
  await gone;
}

export function watch() {
  const idle = Number(root.dataset.idle) * 1000;
  let last = Date.now();
  let told = Date.now();
  const alive = () => {
    last = Date.now();
    if (!locked && last - told > 60_000) {
      told = last;
      ask("/api/alive", {}).catch(() => {});
    }
  };
  for (const kind of ["keydown", "pointermove", "pointerdown", "wheel"]) {
    window.addEventListener(kind, alive, { passive: true });
  }
  setInterval(() => { if (!locked && Date.now() - last > idle) lock(); }, 1000);
  $("blank").addEventListener("click", blank);
  $("lock").addEventListener("click", lock);
  $("cover").addEventListener("click", uncover);
  window.addEventListener("beforeprint", blank);
}
