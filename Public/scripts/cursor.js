// One cursor for the cells of a table: keys, and ranges that are copied, pasted, filled and cleared.

import { change, columnOf, edit, fieldOf, mayEdit, readFields, readRows, rowOf, valueOf } from "./cells.js";
import { all, allRows, announce, isModified, list, on, one, text } from "./document.js";
import { showToast } from "./writing.js";

// The cell with the cursor, the other end of a range, and the column where up and down go on.
let current, anchor, lane = 0;
// The place of the cursor after the rows are replaced, and whether the focus was in the table.
let place = {}, isInside = false;

const gridCell = (element) => one("#list thead") && element.closest?.("#list tr > *");
const shownCells = (row) => [...row?.cells ?? []].filter((cell) => cell.checkVisibility());
const controlsOf = (cell) => all(":is(a, button, input, select, summary)", cell).filter((part) => part.checkVisibility());

// Makes the table one stop of the Tab key, with the cursor where it was.
export function startCursor() {
  const table = list();
  if (!one("thead", table)) return;
  Object.assign(table, { role: "grid", ariaMultiSelectable: "true" });
  table.parentElement.tabIndex = -1;
  for (const part of all(":is(a, button, input, summary):not(details > :not(summary) *)", table)) part.tabIndex = -1;
  if (!current?.isConnected) {
    const row = document.getElementById(place.row) ?? [...table.rows].slice(0, place.index + 1 || 1).at(-1);
    setCurrent(row?.cells[place.cell] ?? one("th[scope=row]", table) ?? one("th", table));
    anchor = undefined;
  }
  if (isInside && (document.activeElement === document.body || document.activeElement === table.parentElement)) focusCell(current);
}

function setCurrent(cell) {
  if (current !== cell) current?.setAttribute("tabindex", -1);
  current = cell;
  cell.tabIndex = 0;
  lane = cell.cellIndex;
  const { id, rowIndex: index } = cell.parentElement;
  place = { row: id, index, cell: cell.cellIndex };
}

function focusCell(cell, isRange) {
  anchor = isRange ? anchor ?? current : undefined;
  cell.tabIndex = 0;
  cell.focus({ preventScroll: true });
  cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  // The names of rows stay in sight, and would cover the cell.
  const name = one("th[scope=row]", cell.parentElement)?.getBoundingClientRect(), { left, right } = cell.getBoundingClientRect();
  if (name && cell.matches("td") && list().contains(cell)) {
    const covered = document.dir === "rtl" ? Math.max(0, right - name.left) : Math.min(0, left - name.right);
    if (covered) list().parentElement.scrollLeft += covered;
  }
  showRange();
}

function step(cell, [down, right], isRange) {
  const lines = isRange ? allRows() : [...list().rows], cells = shownCells(cell.parentElement), kept = lane;
  const index = Math.min(Math.max(lines.indexOf(cell.parentElement) + down, 0), lines.length - 1);
  const row = down ? shownCells(lines[index]) : cells;
  const next = down ? row.findLast((cell) => cell.cellIndex <= kept) ?? row[0] : cells[cells.indexOf(cell) + right];
  if (next) focusCell(next, isRange);
  if (down) lane = kept;
}

// The chosen cells of columns, by rows.
function range() {
  const lines = allRows(), start = anchor ?? current;
  if (!rowOf(current) || !rowOf(start)) return [];
  const [top, bottom] = [lines.indexOf(rowOf(start)), lines.indexOf(rowOf(current))].sort((a, b) => a - b);
  const [first, last] = [start.cellIndex, current.cellIndex].sort((a, b) => a - b);
  const isIn = (cell) => cell.cellIndex >= first && cell.cellIndex <= last && columnOf(cell);
  return lines.slice(top, bottom + 1).map((row) => shownCells(row).filter(isIn));
}

function showRange() {
  for (const cell of all("#list [aria-selected]")) cell.ariaSelected = null;
  if (anchor) for (const cell of range().flat()) cell.ariaSelected = "true";
}

// Changes cells, unless one of them has no field.
async function write(values) {
  if (!values.length) return;
  await readFields(rowOf(current));
  if (values.every(({ cell }) => cell && mayEdit() && fieldOf(columnOf(cell)))) change(values);
  else showToast(text("fixed"));
}

function clear() {
  write(range().flat().map((cell) => ({ cell, content: "" })));
}

// Repeats the first row of the range below it, or the row above a range of one row.
function fill() {
  const lines = range(), above = allRows()[allRows().indexOf(rowOf(current)) - 1];
  const first = lines.length > 1 ? lines.shift() : lines[0]?.map(({ cellIndex }) => above?.cells[cellIndex]);
  if (first?.every(Boolean)) write(lines.flatMap((cells) => cells.map((cell, index) => ({ cell, from: first[index] }))));
}

function chooseAll() {
  const lines = allRows();
  anchor = shownCells(lines[0])[0];
  focusCell(shownCells(lines.at(-1)).at(-1), true);
}

// A cell of a spreadsheet; it is quoted where it has a tab or a line break.
const quote = (content) => /[\t\n"]/.test(content) ? `"${content.replaceAll('"', '""')}"` : content;

function parseTable(content) {
  const lines = [[]];
  for (const [, cell, end] of content.replace(/\r\n?/g, "\n").replace(/\n$/, "").matchAll(/("(?:[^"]|"")*"(?=[\t\n]|$)|[^\t\n]*)(\t|\n|$)/g)) {
    lines.at(-1).push(/^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === "\n") lines.push([]);
    if (!end) return lines;
  }
}

function paste(content) {
  const lines = parseTable(content), cells = range(), [[only]] = lines;
  if (lines.length === 1 && lines[0].length === 1) return write(cells.flat().map((cell) => ({ cell, content: only })));
  const first = cells[0]?.[0];
  if (!first) return;
  const below = allRows().slice(allRows().indexOf(rowOf(first)));
  write(lines.flatMap((line, index) => {
    const row = shownCells(below[index]), start = row.findIndex(({ cellIndex }) => cellIndex === first.cellIndex);
    return line.map((content, index) => ({ cell: row[start + index], content }));
  }));
}

for (const name of ["copy", "cut", "paste"]) on(name, (event) => {
  if (document.activeElement !== current || !getSelection().isCollapsed || !range().flat().length) return;
  event.preventDefault();
  if (name === "paste") return paste(event.clipboardData.getData("text/plain"));
  event.clipboardData.setData("text/plain", range().map((cells) => cells.map(valueOf).map(quote).join("\t")).join("\n"));
  announce(`${text("copy")} ✓`);
  if (name === "cut") clear();
});

// The text that a person types until the field is there.
let typed = "";

async function open(cell, key = "") {
  typed += key;
  if (typed.length > 1) return;
  if (await edit(cell, () => typed) === false) announce(text("fixed"));
  typed = "";
}

function activate(cell) {
  const controls = controlsOf(cell);
  if (controls.length === 1) controls[0].click();
  else controls[0]?.focus();
}

const mayOpen = (cell) => rowOf(cell) && columnOf(cell) && mayEdit() && fieldOf(columnOf(cell)) !== null;
const pageOf = (cell) => Math.max(1, Math.floor(list().parentElement.clientHeight / cell.offsetHeight) - 2);
const sideOf = (key) => (key === "ArrowRight") === (document.dir !== "rtl") ? 1 : -1;

// The command of a key on a cell, if it has one.
function commandOf({ key, altKey, shiftKey: isRange, ctrlKey, metaKey }, cell) {
  const isCommand = ctrlKey || metaKey, far = isCommand ? 1e6 : 0, edge = shownCells(cell.parentElement).length;
  const go = (down, right) => () => step(cell, [down, right], isRange);
  const toEdge = (at) => () => {
    const row = shownCells(far ? (at ? allRows().at(-1) : allRows()[0]) : cell.parentElement);
    focusCell(row.at(at), isRange);
  };
  const isName = cell.matches("th"), isEditable = mayOpen(cell);
  if (altKey) return key === "Enter" && (() => activate(cell));
  if (isCommand && !/^Arrow|^Home|^End/.test(key)) return { d: edge && fill, a: chooseAll }[key.toLowerCase()];
  switch (key) {
    case "ArrowDown": return go(far || 1, 0);
    case "ArrowUp": return go(-far || -1, 0);
    case "ArrowLeft": case "ArrowRight": return far ? toEdge(sideOf(key) > 0 ? -1 : 0) : go(0, sideOf(key));
    case "PageDown": return go(pageOf(cell), 0);
    case "PageUp": return go(-pageOf(cell), 0);
    case "Home": return toEdge(0);
    case "End": return toEdge(-1);
    case "F2": return isEditable && (() => open(cell));
    case "Enter": return isEditable && !isName ? () => open(cell) : () => activate(cell);
    case "Delete": case "Backspace": return rowOf(cell) && clear;
    case "Escape": return anchor && (() => focusCell(cell));
    case " ": if (one("[type=checkbox]", cell)) return () => activate(cell);
  }
  // The names of rows leave single keys to the page.
  return key.length === 1 && isEditable && !isName && (() => open(cell, key));
}

// Controls in a cell are reached by Enter, and left by Escape.
function commandInside({ key, target }, cell) {
  if (target.matches("select, textarea, input:not([type=checkbox])") || target.closest("details[open] > :not(summary)")) return;
  const controls = controlsOf(cell);
  switch (key) {
    case "ArrowDown": return () => step(cell, [1, 0]);
    case "ArrowUp": return () => step(cell, [-1, 0]);
    case "ArrowLeft": case "ArrowRight": {
      const next = controls[controls.indexOf(target) + sideOf(key)];
      return next ? () => next.focus() : () => step(cell, [0, sideOf(key)]);
    }
    case "Escape": return !one("details[open]", cell) && (() => focusCell(cell));
  }
}

on("keydown", (event) => {
  const cell = gridCell(event.target);
  if (!cell || event.defaultPrevented || event.isComposing) return;
  const command = event.target === cell ? commandOf(event, cell) : commandInside(event, cell);
  if (!command) return;
  event.preventDefault();
  command();
});

on("click", (event) => {
  const cell = gridCell(event.target);
  if (!cell || isModified(event) || !getSelection().isCollapsed || event.target.closest("a, button, input, select, textarea, summary, label")) return;
  focusCell(cell);
});

let prefetching;

on("focusin", ({ target }) => {
  const cell = gridCell(target);
  if (cell && !target.matches("[data-cell]")) setCurrent(cell);
  if (cell || !target.closest("#toast, #news") && !target.matches(".wide")) isInside = Boolean(cell);
  const row = cell && rowOf(cell);
  clearTimeout(prefetching);
  if (!row) return;
  prefetching = setTimeout(() => {
    const lines = allRows(), at = lines.indexOf(row);
    readFields(row);
    readRows(lines.slice(Math.max(0, at - 25), at + 25));
  }, 100);
});

on("pointerdown", ({ target }) => isInside &&= target.closest("#list, #toast, #news") !== null);
on("celldone", ({ detail: { cell, move: [down, right] } }) => {
  focusCell(cell);
  step(cell, [down, right]);
});
on("listchange", startCursor);
