// Sends rows, says how it went, and takes steps back: one stack for cells, forms and chosen rows.

import { button, create, on, one, text } from "./document.js";
import { reload } from "./navigation.js";
import { openRow, openedRow } from "./panel.js";

// Numbers keep all their digits.
const exact = (key, value, context) => typeof value === "number" && JSON.rawJSON ? JSON.rawJSON(context.source) : value;
export const parse = (content) => JSON.parse(content, exact);

// The tags of the rows that this page has written, by their addresses.
const tags = new Map();
export const setTag = (address, tag) => tags.set(address, tag);

// The result of a request. A failure has a message, and throws nothing.
export async function send(method, address, body, fields) {
  const headers = { Accept: "application/json", "Content-Type": "application/json", ...fields };
  try {
    const response = await fetch(address, { method, headers, body, keepalive: method !== "GET" && (body ?? "").length < 5e4 });
    const content = await response.text(), answer = content ? parse(content) : {}, { ok, status } = response;
    const details = answer.errors?.map((fault) => fault.detail) ?? [answer.detail ?? answer.title];
    return { ok, status, answer, message: ok ? "" : details.join(" ") };
  } catch {
    return { ok: false, status: 0, answer: {}, message: text("unreachable") };
  }
}

export const fetchRow = async (address) => (await send("GET", address)).answer.row;

// Writes cells of rows: those of one row with its tag, those of several at once.
export async function writeCells(rows) {
  const [{ address, cells, tag = tags.get(address) }] = rows, isOne = rows.length === 1;
  const result = isOne
    ? await send("PATCH", address, JSON.stringify(cells), tag && { "If-Match": tag })
    : await send("POST", `${address.replace(/\/[^/]*$/, "")}/-/rows?on_duplicate=merge`, linesOf(rows), { "Content-Type": "application/x-ndjson" });
  const written = isOne ? [result.answer.row] : result.answer.results;
  if (result.ok) rows.forEach((row, index) => setTag(row.address, written[index].etag));
  return result;
}

// Deletes a row, unless others have changed it since.
export const removeRow = (address) => send("DELETE", address, undefined, tags.has(address) && { "If-Match": tags.get(address) });

export const linesOf = (rows) => rows.map(({ id, cells }) => JSON.stringify({ id, ...cells })).join("\n");

const done = [], undone = [];
let queue = Promise.resolve();
// Writes wait for each other.
export const inTurn = (write) => queue = queue.then(write, write);

// Remembers a step by the functions that take it back and do it again.
export function record(undo, redo) {
  done.push({ undo, redo });
  undone.length = 0;
}

const move = (from, to, name) => inTurn(async () => {
  const step = from.pop();
  if (!step?.[name]) return;
  const { ok, status, message } = await step[name]().catch(() => ({ message: text("unreachable") }));
  // A server that does not respond can be tried again.
  if (!ok && (!status || status >= 500)) from.push(step);
  if (!ok) return showToast(status ? text("notUndone") : message);
  to.push(step);
  await refresh();
  showToast(text(name === "undo" ? "undone" : "redone"));
});

export const undo = () => move(done, undone, "undo");
const redo = () => move(undone, done, "redo");

// Reads the list again, and the row beside it unless a form is open there.
export async function refresh() {
  if (openedRow && !one("#panel form[method=post]")) await openRow(location.href, openedRow, true);
  await reload();
}

let fading;

// A message that goes away, unless it has actions other than to undo.
export function showToast(message, actions = {}) {
  one("#toast")?.remove();
  const toast = create("p", { id: "toast", role: "status", textContent: message });
  for (const [name, action] of Object.entries(actions)) {
    const link = create("a", { href: action, className: "btn", textContent: text(name) });
    toast.append(" · ", typeof action === "string" ? link : Object.assign(button(text(name)), { onclick: action }));
  }
  document.body.append(toast);
  clearTimeout(fading);
  if (!actions.retry) fading = setTimeout(() => toast.remove(), 10000);
}

// The reason of a failure, with a button that tries again.
export const showFailure = (message, retry, more) => showToast(text("unsaved", message), { retry, ...more });

const isText = (target) => target.matches("input:not([type=checkbox], [type=radio]), select, textarea");

on("keydown", (event) => {
  const key = event.key.toLowerCase();
  if (!(event.ctrlKey || event.metaKey) || event.altKey || !"zy".includes(key) || isText(event.target)) return;
  event.preventDefault();
  if (key === "y" || event.shiftKey) redo();
  else undo();
});
