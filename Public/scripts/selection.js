// Chosen rows: copy, export, edit and delete.

import { all, allRows, announce, button, controls, create, idOf, isModified, joinList, number, on, one, postPage, text } from "./document.js";
import { hasBytes, messageOf } from "./editing.js";
import { reload, shown } from "./navigation.js";
import { linesOf, parse, record, send, showFailure, showToast, undo } from "./writing.js";

// The ids of the chosen rows, on all pages of one query, or whether all that match are chosen.
const chosen = new Set();
let isAllChosen = false, query, lastChosen;
const boxOf = (row) => one("[name=id]", row);
export const isChosen = (row) => chosen.has(idOf(row));
const matchingCount = () => +one("#act label").textContent.replace(/\D/g, "");

// The address of the list without its pages and its look, by which a selection lasts.
function currentQuery() {
  const { pathname, searchParams } = new URL(one(".head [type=\"text/csv\"]")?.href ?? shown, location);
  for (const name of ["sort", "columns", "group"]) searchParams.delete(name);
  return `${pathname}?${searchParams}`;
}

// Chooses a row, or all from the last chosen one to it.
export function choose(row, isOn, isRange) {
  const rows = allRows(), [from, to] = [rows.indexOf(lastChosen), rows.indexOf(row)].sort((a, b) => a - b);
  setChosen(isRange && from >= 0 ? rows.slice(from, to + 1) : [row], isOn);
  lastChosen = row;
  getSelection().empty();
}

function setChosen(rows, isOn) {
  for (const row of rows) chosen[isOn ? "add" : "delete"](idOf(row));
  isAllChosen &&= !isOn;
  showSelection();
}

function chooseNone() {
  chosen.clear();
  isAllChosen = false;
}

export function startSelection() {
  lastChosen = undefined;
  if (query !== (query = currentQuery())) chooseNone();
  const head = one("#list .pick");
  if (head && !one("input", head)) head.replaceChildren(create("input", { type: "checkbox", id: "page", ariaLabel: text("page") }));
  showSelection();
}

on("change", ({ target }) => {
  if (target.id === "page") setChosen(allRows().filter(boxOf), target.checked);
  if (target.name !== "all") return;
  chooseNone();
  isAllChosen = target.checked;
  showSelection();
});

on("click", (event) => {
  const { target } = event, row = target.closest("#list [id^=r-]"), isBox = target.matches("[name=id]");
  if (target.dataset.copy) return copy(target.dataset.copy);
  if (target.matches("#chosen a")) target.href = exportAddress("text/csv");
  if (target.dataset.clear) return chooseNone(), showSelection();
  if (!row || !isBox && (target.closest(controls) || !isModified(event))) return;
  choose(row, isBox ? target.checked : !isChosen(row), event.shiftKey);
});

// Marks the chosen rows, and shows their number with what can be done with them.
function showSelection() {
  const rows = allRows(), form = one("#act"), near = new Set(rows.map(idOf)), box = one("#page");
  for (const row of rows) {
    row.toggleAttribute("data-chosen", isAllChosen || isChosen(row));
    if (boxOf(row)) boxOf(row).checked = isChosen(row);
  }
  if (box) {
    const count = rows.filter(isChosen).length;
    Object.assign(box, { checked: count && count === rows.length, indeterminate: count && count < rows.length });
  }
  // The form has the boxes of this page only.
  for (const field of all("[data-far]", form)) field.remove();
  for (const value of form ? chosen : []) if (!near.has(value)) {
    form.append(create("input", { type: "hidden", name: "id", value }));
    form.lastChild.dataset.far = "";
  }
  let bar = one("#chosen");
  const isOn = chosen.size || isAllChosen, count = isAllChosen ? matchingCount() : chosen.size;
  form?.toggleAttribute("data-on", isOn);
  if (!isOn) return bar?.remove();
  bar ??= addBar(form);
  (one("#act > span") ?? bar.firstChild).textContent = text("chosen", count);
  for (const ask of all("[data-ask]", form)) ask.textContent = ask.dataset.ask.replace("%", () => number(count));
  for (const warning of all(".once", form)) warning.hidden = canUndo();
  if (form) one("[name=all]", form).checked = isAllChosen;
}

function addBar(form) {
  const bar = create("p", { id: "chosen" });
  bar.append(create("span"), form ? `${text("copy")} ` : "");
  for (const format of ["CSV", "Markdown", "JSON"]) {
    const copy = button(format, `${text("copy")}: ${format}`);
    copy.dataset.copy = format;
    bar.append(copy, " ");
  }
  const link = { className: "btn", textContent: "↓ CSV", ariaLabel: `${text("export")}: CSV`, href: exportAddress("text/csv"), download: "" };
  const none = button("×", text("clear"));
  none.dataset.clear = "all";
  bar.append(create("a", link), " ", none);
  (form ?? one("main")).append(bar);
  return bar;
}

function exportAddress(type, columns) {
  const url = new URL(one(`.head [type="${type}"]`).href);
  if (columns) url.searchParams.set("columns", columns);
  else if (columns === null) url.searchParams.delete("columns");
  if (!isAllChosen) url.searchParams.set("id__in", joinList(chosen));
  return url.href;
}

const parseLines = (content) => content.trim().split("\n").filter(Boolean).map(parse);

async function copy(format) {
  const type = format === "CSV" ? "text/csv" : "application/x-ndjson";
  const response = await fetch(exportAddress(type)).catch(() => ({ statusText: text("unreachable") }));
  if (!response.ok) return showToast(response.statusText);
  const content = await response.text();
  const rows = type === "text/csv" ? [] : parseLines(content);
  for (const row of rows) if (row.section === "all") delete row.section;
  const formats = {
    CSV: () => content,
    JSON: () => JSON.stringify(rows, null, 2),
    Markdown: () => markdown(rows),
  };
  await navigator.clipboard.writeText(formats[format]());
  announce(`${format} ✓`);
  one(`[data-copy=${format}]`).textContent = `${format} ✓`;
}

function markdown(rows) {
  const names = Object.keys(rows[0]);
  const line = (values) => `| ${values.map((value) => `${value?.rawJSON ?? value ?? ""}`.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  return [names, names.map(() => "---"), ...rows.map((row) => names.map((name) => row[name]))].map(line).join("\n");
}

const canUndo = () => !one("nav.view") && (!isAllChosen || matchingCount() > 0 && matchingCount() <= 1000);

// Edits or deletes the chosen rows. Undo sends the old rows again.
async function writeChosen({ address, fields, columns, source, isEdit }) {
  const [base] = address.split("/-/"), post = () => postPage(address, fields);
  try {
    const rows = source ? parseLines(await (await fetch(source)).text()) : [];
    const old = (!isEdit && rows.some(hasBytes) ? [] : rows)
      .map((row) => ({ id: row.id, cells: Object.fromEntries(columns.map((name) => [name, row[name]])) }));
    const { response, page } = await post();
    if (!response.redirected) return showToast(messageOf(page));
    chooseNone();
    await reload();
    if (old.length) record(
      () => send("POST", `${base}/-/rows${isEdit ? "?on_duplicate=merge" : ""}`, linesOf(old), { "Content-Type": "application/x-ndjson" }),
      async () => ({ ok: (await post()).response.redirected }),
    );
    showToast(one(".note", page).textContent, old.length && { undo });
  } catch {
    // The request is sent again as it was, whatever is chosen by then.
    showFailure(text("unreachable"), () => writeChosen(...arguments));
  }
}

on("submit", (event) => {
  const { target, submitter } = event, address = submitter?.formAction, action = /\/-\/actions\/(edit|delete)\b/.exec(address)?.[1];
  const field = target.elements.form__column;
  if (!action || !field) return;
  event.preventDefault();
  const isEdit = action === "edit", columns = isEdit ? [field.value] : [...field.options].map((option) => option.value);
  const source = canUndo() && exportAddress("application/x-ndjson", isEdit ? columns : null);
  writeChosen({ address, fields: new FormData(target, submitter), columns, source, isEdit });
});
