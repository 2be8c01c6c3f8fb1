// Fields that name rows of other lists: what is typed finds the rows by their labels.

import { create, on, one } from "./document.js";
import { send } from "./writing.js";

let finding;

const optionsOf = (field) => [...field.list?.options ?? []];
const labelOf = (row, names) => names.map((name) => row.display?.[name] ?? row.cells[name]).filter((part) => part ?? false).join(" ");

async function findRows(field) {
  const typed = field.value.trim(), { search, labels, key } = field.dataset, names = labels.split(",").filter(Boolean);
  const url = new URL(search, location), columns = key ? [...names, key] : names;
  url.search = new URLSearchParams({ limit: 20, ...columns.length && { columns }, ...typed && { q: typed } });
  const { answer } = await send("GET", url);
  if (field.value.trim() !== typed) return;
  const rows = (answer.sections ?? []).flatMap((section) => section.rows);
  if (rows.length) field.list?.replaceChildren(...rows.map((row) => {
    const value = key ? row.cells[key] : row.id;
    return create("option", { value, textContent: labelOf(row, names) || value });
  }));
  showLabel(field);
}

function showLabel(field) {
  const note = one("p.n", field.closest("dd"));
  if (note) note.textContent = optionsOf(field).find((option) => option.value === field.value)?.label ?? "";
}

// Replaces a label that was typed, or the beginning of only one, by the value.
export function pickOption(field) {
  const options = optionsOf(field), typed = field.value.trim().toLowerCase();
  if (!field.dataset.search || !typed || options.some((option) => option.value === field.value)) return;
  const found = options.filter((option) => option.label.toLowerCase().startsWith(typed));
  const option = found.find((option) => option.label.toLowerCase() === typed) ?? (found.length === 1 && !/^\d+$/.test(typed) && found[0]);
  if (option) field.value = option.value;
  showLabel(field);
}

on("input", ({ target }) => {
  if (!target.dataset?.search) return;
  showLabel(target);
  clearTimeout(finding);
  finding = setTimeout(findRows, 150, target);
});
on("change", ({ target }) => pickOption(target));
