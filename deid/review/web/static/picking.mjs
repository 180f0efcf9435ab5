// Picking missed text by keyboard, word by word.
import { $, paint, rangeOf, say, tokensOf } from "./page.mjs";

const text = $("text");
let picking = null;

export const isPicking = () => picking !== null;

// Begin on a side, near a row of the page.
export function startPicking(side, row) {
  const tokens = tokensOf(text, side);
  if (!tokens.length) return say("There is no text to select on this side.");
  const near = picking ? picking.tokens[picking.head].row : row;
  const head = Math.max(0, tokens.findIndex((token) => token.row >= near));
  picking = { side, tokens, head, tail: head };
  return show();
}

export function stopPicking() {
  picking = null;
  paint("picking", []);
}

function show() {
  const { tokens, head } = picking;
  paint("picking", chosen().map(rangeOf));
  tokens[head].node.parentElement.scrollIntoView({ block: "nearest" });
  say(`Selected: ${spoken()}`);
}

const spoken = () => chosen().map((token) => token.text).join(" ");

function chosen() {
  const { tokens, head, tail } = picking;
  return tokens.slice(Math.min(head, tail), Math.max(head, tail) + 1);
}

// Whether a key was for the selection; `choose` gets what Enter takes.
export function pickKey(event, originals, choose) {
  const moves = { ArrowRight: 1, ArrowLeft: -1 };
  const lines = { ArrowDown: 1, ArrowUp: -1 };
  if (event.key === "Escape") { stopPicking(); say("Selection canceled."); }
  else if (event.key === "o") startPicking(originals && picking.side === "after" ? "before" : "after", 0);
  else if (event.key === "Enter") take(choose);
  else if (event.key in moves) move(picking.head + moves[event.key], event.shiftKey);
  else if (event.key in lines) move(lineAway(lines[event.key]), event.shiftKey);
  else return false;
  return true;
}

function take(choose) {
  const [first, last] = [chosen()[0], chosen().at(-1)];
  if (first.column !== last.column) return say("A selection must stay within one cell.");
  return choose({ side: picking.side, column: first.column, start: first.start, end: last.end, text: spoken() });
}

function move(to, growing) {
  picking.head = Math.min(picking.tokens.length - 1, Math.max(0, to));
  if (!growing) picking.tail = picking.head;
  show();
}

function lineAway(by) {
  const { tokens, head } = picking;
  const row = tokens[head].row;
  const first = tokens.findIndex((token) => token.row === row);
  const rows = tokens.map((token) => token.row).filter((one) => (by > 0 ? one > row : one < row));
  if (!rows.length) return head;
  const wanted = by > 0 ? rows[0] : rows.at(-1);
  const inRow = tokens.map((token, at) => [token.row, at]).filter(([one]) => one === wanted).map(([, at]) => at);
  return inRow[Math.min(inRow.length - 1, head - first)];
}
