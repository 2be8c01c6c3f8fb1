// Chosen rows: copy, export, edit and delete.

import { all, allRows, announce, button, create, idOf, isModified, on, one, postPage, text } from "./document.js";
import { hasBytes, messageOf } from "./editing.js";
import { reload } from "./navigation.js";
import { linesOf, parse, record, send, showFailure, showToast, undo } from "./writing.js";

let lastChosen;
const boxOf = (row) => one("[name=id]", row);
const isAllChosen = () => one("#act [name=all]")?.checked;
const chosenRows = () => allRows().filter(isChosen);
export const isChosen = (row) => boxOf(row)?.checked || "chosen" in row.dataset;

function setChosen(row, isOn) {
  const box = boxOf(row);
  if (box) box.checked = isOn;
  row.toggleAttribute("data-chosen", isOn);
}

// Chooses a row, or all from the last chosen one to it.
export function choose(row, isOn, isRange) {
  const rows = allRows(), [from, to] = [rows.indexOf(lastChosen), rows.indexOf(row)].sort((a, b) => a - b);
  for (const part of isRange && from >= 0 ? rows.slice(from, to + 1) : [row]) setChosen(part, isOn);
  if (isOn && isAllChosen()) one("#act [name=all]").checked = false;
  lastChosen = row;
  getSelection().empty();
  showSelection();
}

export function startSelection() {
  lastChosen = undefined;
  showSelection();
}

on("change", ({ target }) => {
  if (target.name === "all") for (const row of target.checked ? chosenRows() : []) setChosen(row, false);
  if (target.matches("#list [name=id], [name=all]")) showSelection();
});

on("click", (event) => {
  const { target } = event, row = target.closest("#list [id^=r-]"), isBox = target.matches("[name=id]");
  if (target.dataset.copy) return copy(target.dataset.copy);
  if (target.matches("#chosen a")) target.href = exportAddress("text/csv");
  if (!row || !isBox && (target.closest("a, button, summary, input, label, form") || !isModified(event))) return;
  choose(row, isBox ? target.checked : !isChosen(row), event.shiftKey);
});

// Shows the number of chosen rows, with buttons that copy and export them.
function showSelection() {
  const chosen = chosenRows().length, form = one("#act"), count = one("span", form);
  if (count) count.textContent = chosen ? text("chosen", chosen) : count.dataset.none ??= count.textContent;
  form?.toggleAttribute("data-on", chosen || isAllChosen());
  for (const warning of all(".once", form)) warning.hidden = canUndo(form);
  let bar = one("#chosen");
  if (!chosen && !isAllChosen()) return bar?.remove();
  if (!bar) {
    bar = create("p", { id: "chosen" });
    bar.append(create("span"));
    for (const format of ["CSV", "Markdown", "JSON"]) {
      const copy = button(format);
      copy.dataset.copy = format;
      bar.append(" ", copy);
    }
    const link = { className: "btn", textContent: "↓ CSV", ariaLabel: `${text("export")}: CSV`, href: exportAddress("text/csv"), download: "" };
    bar.append(" ", create("a", link));
    (form ?? one("main")).append(bar);
  }
  bar.firstChild.textContent = form ? text("copy") : `${text("chosen", chosen)} ${text("copy")}`;
}

function exportAddress(type, columns) {
  const url = new URL(one(`footer [type="${type}"]`).href);
  const ids = chosenRows().map(idOf).map((id) => /^"|,/.test(id) ? `"${id.replaceAll('"', '""')}"` : id);
  if (columns) url.searchParams.set("columns", columns);
  else if (columns === null) url.searchParams.delete("columns");
  if (!isAllChosen()) url.searchParams.set("id__in", ids);
  return url.href;
}

const parseLines = (content) => content.trim().split("\n").filter(Boolean).map(parse);

async function copy(format) {
  const type = format === "CSV" ? "text/csv" : "application/x-ndjson";
  const content = await (await fetch(exportAddress(type))).text();
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

function canUndo(form) {
  const matching = +one("label", form).textContent.replace(/\D/g, "");
  return !one("nav.view") && (!isAllChosen() || matching > 0 && matching <= 1000);
}

// Edits or deletes the chosen rows. Undo sends the old rows again.
async function writeChosen(form, submitter, isEdit) {
  const { form__column: field } = form.elements, { formAction } = submitter, [base] = formAction.split("/-/");
  const columns = isEdit ? [field.value] : [...field.options].map((option) => option.value);
  const fields = new FormData(form, submitter), source = exportAddress("application/x-ndjson", isEdit ? columns : null);
  try {
    const rows = canUndo(form) ? parseLines(await (await fetch(source)).text()) : [];
    const old = (!isEdit && rows.some(hasBytes) ? [] : rows)
      .map((row) => ({ id: row.id, cells: Object.fromEntries(columns.map((name) => [name, row[name]])) }));
    const { response, page } = await postPage(formAction, fields);
    if (!response.redirected) return showToast(messageOf(page));
    const message = one(".note", page).textContent, address = `${base}/-/rows${isEdit ? "?on_duplicate=merge" : ""}`;
    await reload();
    if (old.length) record(
      () => send("POST", address, linesOf(old), { "Content-Type": "application/x-ndjson" }),
      async () => ({ ok: (await postPage(formAction, fields)).response.redirected }),
    );
    showToast(message, old.length && { undo });
  } catch {
    showFailure(text("unreachable"), () => writeChosen(form, submitter, isEdit));
  }
}

on("submit", (event) => {
  const { target, submitter } = event, action = /\/-\/actions\/(edit|delete)\b/.exec(submitter?.formAction)?.[1];
  if (!action || !target.elements.form__column) return;
  event.preventDefault();
  writeChosen(target, submitter, action === "edit");
});
