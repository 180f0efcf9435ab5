// Moving the edges of a span: by word, by character, or by dragging its handles.
import { $, characters, element, paint, say, stretch } from "./page.mjs";

const text = $("text");
const WORDS = /[\p{L}\p{N}\p{M}]+|[^\s\p{L}\p{N}\p{M}]/gu;
let span = null;

export const isEditing = () => span !== null;

// Begin with { side, column, start, end }; `keep` gets the same with other edges.
export function startEdges(from, keep) {
  span = { ...from, edge: "end", keep, signs: [], words: [] };
  for (const part of parts()) addStops(part);
  for (const edge of ["start", "end"]) text.append(handle(edge));
  show();
}

export function stopEdges() {
  span = null;
  text.querySelectorAll(".edge").forEach((one) => one.remove());
  paint("picking", []);
}

const parts = () => text.querySelectorAll(`.cell[data-column="${span.column}"] .${span.side} [data-start]`);

// Where edges may stand: around each word and each character; around a replacement as a whole.
function addStops(part) {
  const first = Number(part.dataset.start);
  const content = part.textContent;
  const add = (stops, from, to) => stops.push({ start: first + characters(content.slice(0, from)), end: first + characters(content.slice(0, to)) });
  if (part.matches("mark") && span.side === "after") {
    add(span.signs, 0, content.length);
    return add(span.words, 0, content.length);
  }
  for (const found of content.matchAll(WORDS)) add(span.words, found.index, found.index + found[0].length);
  for (const found of content.matchAll(/./gsu)) add(span.signs, found.index, found.index + found[0].length);
  return undefined;
}

const fits = (at) => (span.edge === "start" ? at < span.end : at > span.start);

function move(stops, by) {
  const places = stops.map((stop) => stop[span.edge]).filter(fits);
  const beyond = by > 0 ? places.filter((at) => at > span[span.edge]) : places.filter((at) => at < span[span.edge]);
  if (beyond.length) span[span.edge] = by > 0 ? Math.min(...beyond) : Math.max(...beyond);
  show();
}

// Whether a key was for the edges.
export function edgeKey(event) {
  const moves = { ArrowRight: 1, ArrowLeft: -1 };
  const edges = { ArrowUp: "start", ArrowDown: "end" };
  if (event.key === "Escape") { stopEdges(); say("The edges are unchanged."); }
  else if (event.key === "Enter") take();
  else if (event.key in moves) move(event.shiftKey ? span.signs : span.words, moves[event.key]);
  else if (event.key in edges) { span.edge = edges[event.key]; show(); }
  else return false;
  return true;
}

function take() {
  const { side, column, start, end, keep } = span;
  stopEdges();
  keep({ side, column, start, end });
}

function show() {
  const ranges = stretch(text, span.column, span.start, span.end, span.side);
  paint("picking", ranges);
  const box = text.getBoundingClientRect();
  const put = (edge, at) => {
    if (!at) return;
    const one = text.querySelector(`.edge.${edge}`);
    const middle = edge === "start" ? at.left : at.right;
    one.style.left = `${middle - box.left + text.scrollLeft}px`;
    one.style.top = `${at.top - box.top + text.scrollTop}px`;
    one.style.height = `${at.height}px`;
    one.classList.toggle("active", span.edge === edge);
  };
  put("start", ranges[0]?.getClientRects()[0]);
  put("end", [...(ranges.at(-1)?.getClientRects() ?? [])].at(-1));
  const side = span.side === "before" ? "original" : "scrubbed text";
  say(`${span.edge === "start" ? "First" : "Last"} edge, ${side}: “${spoken(ranges)}”`);
}

const rowOf = (range) => range?.startContainer.parentElement.closest(".row");
const spoken = (ranges) => ranges.map((one, at) => (at && rowOf(ranges[at - 1]) !== rowOf(one) ? " " : "") + String(one)).join("");

function handle(edge) {
  const made = element("span", { class: `edge ${edge}`, "aria-hidden": "true" });
  made.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    made.setPointerCapture(event.pointerId);
    span.edge = edge;
    made.classList.add("dragged");
    show();
  });
  made.addEventListener("pointermove", (event) => {
    if (made.hasPointerCapture(event.pointerId)) drag(event.clientX, event.clientY);
  });
  made.addEventListener("pointerup", () => made.classList.remove("dragged"));
  return made;
}

function drag(x, y) {
  const at = offsetAt(x, y);
  if (at === null) return;
  const places = span.signs.map((stop) => stop[span.edge]).filter(fits);
  if (!places.length) return;
  span[span.edge] = places.reduce((best, one) => (Math.abs(one - at) < Math.abs(best - at) ? one : best));
  show();
}

// The offset under the pointer, on the side that is edited.
function offsetAt(x, y) {
  const caret = document.caretPositionFromPoint?.(x, y);
  const range = caret ? null : document.caretRangeFromPoint?.(x, y);
  const [node, offset] = caret ? [caret.offsetNode, caret.offset] : [range?.startContainer, range?.startOffset];
  const part = node?.nodeType === Node.TEXT_NODE ? node.parentElement.closest("[data-start]") : null;
  const inside = part?.closest(`.${span.side}`) && Number(part.closest(".cell").dataset.column) === span.column;
  return inside ? Number(part.dataset.start) + characters(node.data.slice(0, offset)) : null;
}
