// The list of notes: pages of rows from the server, and the way from one note to the next.
import { $, ask, element } from "./page.mjs";

const shown = { rows: [], from: 0, total: 0, current: null };

export async function showList(from = 0) {
  const query = new URLSearchParams(new FormData($("filters")));
  query.set("from", from);
  const told = await ask(`/api/notes?${query}`);
  Object.assign(shown, { rows: told.rows, from: told.from, total: told.total });
  const last = told.from + told.rows.length;
  $("total").textContent = told.total ? `${told.from + 1} to ${last} of ${told.total} notes` : "no notes match the filters";
  $("earlier").disabled = told.from === 0;
  $("later").disabled = last >= told.total;
  $("list").replaceChildren(...told.rows.map(listed));
  $("list").scrollTop = 0;
  showCurrent(shown.current);
}

export const showEarlier = () => showList(Math.max(0, shown.from - 200));
export const showLater = () => showList(shown.from + shown.rows.length);
export const isListed = (number) => shown.rows.some((row) => row.number === number);
export const firstListed = () => shown.rows[0]?.number;

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

export function showCurrent(number) {
  shown.current = number;
  for (const button of $("list").querySelectorAll("button")) {
    const current = Number(button.dataset.number) === number;
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

export function refreshRow(number, read, missed) {
  const place = shown.rows.findIndex((row) => row.number === number);
  if (place < 0) return;
  Object.assign(shown.rows[place], { read, missed });
  $("list").children[place].replaceWith(listed(shown.rows[place]));
  showCurrent(number);
}

// The number of the note so many places further in the list, which turns its page if need be.
export async function away(by) {
  let target = shown.rows.findIndex((row) => row.number === shown.current) + by;
  if (target >= shown.rows.length && shown.from + shown.rows.length < shown.total) {
    await showLater();
    target = 0;
  } else if (target < 0 && shown.from > 0) {
    await showEarlier();
    target = shown.rows.length - 1;
  }
  return shown.rows[target]?.number;
}
