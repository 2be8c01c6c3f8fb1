// Cells that are edited in their place. They show what was typed until it is saved.

import { addressOfRow, all, allRows, create, drafts, fetchPage, idOf, joinList, linkOf, on, one, text } from "./document.js";
import { pickOption } from "./pickers.js";
import { isChosen } from "./selection.js";
import { inTurn, parse, record, refresh, send, showFailure, showToast, undo, writeCells } from "./writing.js";

// The field of a cell that is open, with its cell and what it had.
let editor;
// Each change has cells that are written together.
const changes = new Set();
const sending = new Set();
let needsReload = false;

export const rowOf = (cell) => cell.closest("#list [id^=r-]");
export const columnOf = (cell) => all("thead th")[cell.cellIndex]?.dataset.c;
export const cellAt = (row, column) => row?.cells?.[all("thead th").findIndex((header) => header.dataset.c === column)];
const draftKey = () => `unsaved:${one(".head .go")?.href.split("/-/")[0]}`;
const textOf = (value) => value === null || value === undefined ? "" : `${value.rawJSON ?? (typeof value === "object" ? JSON.stringify(value) : value)}`;

// The rows as JSON, by their elements. A changed row has another element.
const rowData = new WeakMap();
export const valueOf = (cell) => {
  const cells = rowData.get(rowOf(cell))?.cells, column = columnOf(cell);
  return cells && column in cells ? textOf(cells[column]) : cell.textContent.trim();
};

const reading = new WeakMap();

export function readRows(rows) {
  const missing = rows.filter((row) => !rowData.has(row) && !reading.has(row) && linkOf(row));
  const answer = missing.length && fetchRows(missing).finally(() => missing.forEach((row) => reading.delete(row)));
  for (const row of missing) reading.set(row, answer);
  return Promise.all(rows.map((row) => reading.get(row)));
}

async function fetchRows(missing) {
  const url = new URL(addressOfRow(missing[0]).replace(/\/[^/]*$/, ""));
  url.search = new URLSearchParams({ id__in: joinList(missing.map(idOf)), limit: missing.length, columns: all("thead [data-c]").map((header) => header.dataset.c) });
  const { answer } = await send("GET", url);
  const found = new Map((answer.sections ?? []).flatMap((section) => section.rows).map((row) => [row.id, row]));
  for (const row of missing) if (found.has(idOf(row))) rowData.set(row, found.get(idOf(row)));
}

// The form of the first row that is edited; null where none may be.
let form;
// The field of a column; null where it has none, and undefined before the form is read.
export const fieldOf = (column) => form?.elements.namedItem(column);
export const mayEdit = () => one(".head .go") && form !== null;

export async function readFields(row) {
  if (!mayEdit() || form || !row || !linkOf(row)) return;
  try {
    const { response, page } = await fetchPage(`${addressOfRow(row)}/-/edit`);
    if (response.status < 500) form = one("main form", page);
    document.body.append(...all("datalist", form));
  } catch {
    // The next attempt reads it again.
  }
}

// The JSON of a text that was typed or pasted into a field.
function valueFrom(content, field, old) {
  if (!content) return null;
  if (field.matches("select")) {
    const option = [...field.options].find((option) => [option.value, option.text].some((name) => name.toLowerCase() === content.trim().toLowerCase()));
    return { true: true, false: false }[option?.value] ?? option?.value ?? content;
  }
  if (field.inputMode === "decimal" || old?.rawJSON || typeof old === "number") {
    const isLocal = document.documentElement.lang === "de" && /^[^.,]*,[^.,]*$/.test(content);
    const number = (isLocal ? content.replace(",", ".") : content).trim().replace(/^\+/, "").replace(/^(-?)0+(?=\d)/, "$1");
    if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(number)) return parse(number);
  }
  return typeof old === "string" && old.includes("\r\n") ? content.replaceAll("\n", "\r\n") : content;
}

// Changes cells: each gets a text, or the value of another cell.
export async function change(values) {
  const rows = [...new Set(values.flatMap(({ cell, from }) => from ? [cell, from] : [cell]).map(rowOf))];
  await Promise.all([readFields(rows[0]), readRows(rows)]);
  if (!rows.every((row) => rowData.get(row))) return showFailure(text("unreachable"), () => change(values));
  const cells = values.map(({ cell, column = columnOf(cell), content, from }) => {
    const row = rowOf(cell), data = rowData.get(row), old = data.cells[column];
    const value = from ? rowData.get(rowOf(from)).cells[column] : valueFrom(content, fieldOf(column), old);
    return { row: row.id, id: idOf(row), address: addressOfRow(row), column, content: content ?? textOf(value), value, old, tag: data.etag };
  });
  const names = new Set(cells.map(nameOf));
  for (const other of [...changes].filter((other) => !sending.has(other))) {
    other.cells = other.cells.filter((cell) => !names.has(nameOf(cell)));
    if (!other.cells.length) changes.delete(other);
  }
  const next = { cells: cells.filter(({ value, old }) => !isSame(value, old)) };
  if (!next.cells.length) return showChanges();
  changes.add(next);
  await saveChange(next);
}

const isSame = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
const nameOf = ({ row, column }) => `${row} ${column}`;
const changedCell = (row, column) => [...changes].flatMap((change) => change.cells).findLast((cell) => cell.row === row && cell.column === column);

// The rows of a change, as they are written.
function rowsIn({ cells }, name, withTags) {
  const rows = new Map();
  for (const { address, id, tag, column, [name]: value } of cells) {
    if (!rows.has(address)) rows.set(address, { address, id, cells: {}, ...withTags && { tag } });
    rows.get(address).cells[column] = value ?? null;
  }
  return [...rows.values()];
}

// Changes are sent one after the other, because they may be of one row.
function saveChange(change) {
  sending.add(change);
  showChanges();
  return inTurn(() => sendChange(change));
}

async function sendChange(change) {
  const { cells } = change;
  let result = await writeCells(rowsIn(change, "value", true)), now = result.answer.row;
  // Others have written other columns of the row, or the answer to an earlier attempt was lost.
  for (; result.status === 412 && now; now = result.answer.row) {
    const isMine = cells.every(({ column, value }) => isSame(now.cells[column], value));
    const other = cells.find(({ column, old }) => !isSame(now.cells[column], old));
    for (const cell of cells) Object.assign(cell, { tag: now.etag, old: isMine ? cell.old : now.cells[cell.column] });
    if (other && !isMine) {
      result.message = text("conflict", textOf(now.cells[other.column]) || "–");
      break;
    }
    result = isMine ? { ok: true, answer: {} } : await writeCells(rowsIn(change, "value", true));
  }
  sending.delete(change);
  if (!result.ok) return fail(change, result);
  changes.delete(change);
  showChanges();
  record(() => writeCells(rowsIn(change, "old")), () => writeCells(rowsIn(change, "value")));
  showToast(text("saved"), { undo });
  showFailed();
  settle();
}

function fail(change, { message, answer }) {
  change.message = message;
  const rows = rowsIn(change, "value");
  for (const { pointer = "", detail } of answer.errors ?? []) {
    const names = pointer.slice(1).split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")), column = names.at(-1);
    const row = rows[names.length > 1 ? names[0] : 0];
    for (const cell of change.cells) if (cell.column === column && cell.address === row?.address) cell.message = detail;
  }
  showChanges();
  showFailed();
}

// One message for all that is not saved.
function showFailed() {
  const failed = [...changes].filter((change) => !sending.has(change));
  if (!failed.length) return;
  showFailure([...new Set(failed.map((change) => change.message))].join(" "), () => failed.filter((change) => changes.has(change)).forEach(saveChange), {
    discard() {
      for (const change of failed) changes.delete(change);
      for (const cell of all("#list [aria-invalid]")) partOf(cell).replaceChildren(...originals.get(cell));
      one("#toast")?.remove();
      showChanges();
      needsReload = true;
      settle();
    },
  });
}

const originals = new WeakMap();
// The link of a row stays.
const partOf = (cell) => cell.matches("th") && one("a:last-of-type", cell) || cell;

// Shows in the cells what is not saved yet, and stores it in the browser.
function showChanges() {
  for (const cell of all("#list [data-unsaved]")) {
    for (const name of ["data-unsaved", "aria-busy", "aria-invalid", "title"]) cell.removeAttribute(name);
  }
  for (const change of changes) {
    const isSending = sending.has(change);
    for (const { row, column, content, message = change.message } of change.cells) {
      const cell = cellAt(document.getElementById(row), column);
      if (!cell || cell === editor?.cell) continue;
      if (!originals.has(cell)) originals.set(cell, [...partOf(cell).childNodes]);
      partOf(cell).textContent = content;
      cell.dataset.unsaved = "";
      if (isSending) cell.ariaBusy = "true";
      else Object.assign(cell, { ariaInvalid: "true", title: text("unsaved", message) });
    }
  }
  keep();
}

const isOpenChanged = () => editor && editor.input.value !== editor.start;

function keep() {
  const key = draftKey(), kept = [...changes].flatMap((change) => change.cells);
  if (kept.length) drafts[key] = JSON.stringify(kept);
  else delete drafts[key];
}

// Asks before a page with unsaved values is left.
on("beforeunload", (event) => {
  if (changes.size || isOpenChanged()) event.preventDefault();
});

// Shows the values that were not saved when the page was left.
export function startCells() {
  const kept = drafts[draftKey()];
  if (kept && !changes.size) changes.add({ cells: parse(kept), message: text("left") });
  remount();
  showChanges();
  if (kept) showFailed();
}

// Reads the list again when nothing is written and no field is open.
async function settle() {
  needsReload = true;
  if (editor || sending.size) return;
  needsReload = false;
  await refresh();
}

// Opens the field of a cell, with a text in place of its value.
export async function edit(cell, typed) {
  const row = rowOf(cell), column = columnOf(cell);
  if (!row || !column || !mayEdit() || !linkOf(row) || cell.matches(".tpl, [colspan]")) return false;
  if (editor) close(true);
  cell.ariaBusy = "true";
  await Promise.all([readFields(row), readRows([row])]);
  cell.ariaBusy = null;
  const field = fieldOf(column), data = rowData.get(row);
  if (form && !field) return false;
  if (!form || !data) return showToast(text("unreachable"));
  const unsaved = changedCell(row.id, column), start = unsaved?.content ?? textOf(data.cells[column]).replace(/\r\n?/g, "\n");
  const input = inputFor(field, start, typed?.());
  input.ariaLabel = all("thead th")[cell.cellIndex].abbr;
  editor = { input, row: row.id, column, start: unsaved ? undefined : start };
  mount(cell);
  if (input.dataset.search) input.select();
  if (typed) input.dispatchEvent(new Event("input", { bubbles: true }));
  return true;
}

function cloneOf(field) {
  const input = field.cloneNode(true);
  for (const name of ["id", "required", "placeholder", "aria-describedby", "aria-invalid"]) input.removeAttribute(name);
  return input;
}

// The field of a bulk edit is that of its column.
async function fitBulkField({ target }) {
  const column = one("[name=form__column]", target.closest?.("#act")), old = one("#act [name=form__value]");
  if (!column || target !== column && !target.matches("details")) return;
  await readFields(allRows().find(isChosen) ?? allRows()[0]);
  const field = fieldOf(column.value);
  if (!field) return;
  const input = Object.assign(cloneOf(field), { name: "form__value", ariaLabel: old.ariaLabel });
  if (input.matches("textarea")) Object.assign(input, { rows: 1, textContent: "" });
  // Typed text stays, in the old field where the new one does not take it.
  input.value = old.value;
  if (input.value !== old.value) return;
  const isFocused = old === document.activeElement;
  old.replaceWith(input);
  if (isFocused) input.focus();
}

on("change", fitBulkField);
addEventListener("toggle", fitBulkField, true);

function inputFor(field, start, typed) {
  let input = cloneOf(field);
  if (typed && input.matches("[type^=date]")) input.type = "text";
  input.value = start;
  if (input.value !== start) input = create("textarea", { value: start, dir: "auto" });
  if (input.matches("textarea")) input.rows = 1;
  if (typed && input.matches("select")) {
    const option = [...input.options].find((option) => option.text.toLowerCase().startsWith(typed.toLowerCase()));
    if (option) input.value = option.value;
  } else if (typed) input.value = typed;
  input.dataset.cell = "";
  input.onblur = () => editor?.input === input && !editor.isMoving && close(true);
  input.onkeydown = keydown;
  return input;
}

function mount(cell) {
  Object.assign(editor, { cell, content: [...cell.childNodes], isMoving: false });
  cell.replaceChildren(editor.input);
  editor.input.focus();
  if (/^text|^url/.test(editor.input.type)) editor.input.setSelectionRange(-1, -1);
}

// Puts the open field into the new page of the list, or saves it if its row is not there.
function remount() {
  if (!editor) return;
  const cell = cellAt(document.getElementById(editor.row), editor.column);
  if (cell) mount(cell);
  else close(true);
}

on("listswap", () => {
  if (editor) editor.isMoving = true;
});

// Saves what was typed, or leaves the cell as it was.
function close(isSaved) {
  const { input, cell, content, start, column } = editor;
  if (isSaved) pickOption(input);
  if (isSaved && input.validity.badInput) return input.reportValidity();
  editor = undefined;
  cell.replaceChildren(...content);
  if (isSaved && input.value !== start) change([{ cell, column, content: input.value }]);
  else if (needsReload) settle();
  showChanges();
  return true;
}

function keydown(event) {
  event.stopPropagation();
  const { key, shiftKey, isComposing, altKey } = event, isDone = key === "Tab" || key === "Enter" && !shiftKey && !altKey;
  if (isComposing || !isDone && key !== "Escape") return;
  event.preventDefault();
  const { cell } = editor;
  if (!close(isDone)) return;
  const move = key === "Tab" ? [0, shiftKey ? -1 : 1] : key === "Enter" ? [event.ctrlKey ? 0 : 1, 0] : [0, 0];
  dispatchEvent(new CustomEvent("celldone", { detail: { cell, move } }));
}

on("dblclick", ({ target }) => {
  const cell = target.closest("#list :is(td, th)");
  if (!cell || editor || target.closest("a, button, input, summary") || !one(".head .go")) return;
  getSelection().empty();
  edit(cell);
});
