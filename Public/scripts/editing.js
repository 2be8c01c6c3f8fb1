// Forms of rows in the panel and in cells, with undo.

import { all, button, create, fetchPage, linkOf, on, one, postPage, text } from "./document.js";
import { reload } from "./navigation.js";
import { closePanel, fillPanel, focusPanel, openRow, openedRow } from "./panel.js";

const fetchForm = async (address) => one("main form", (await fetchPage(address)).page);
const ownerOf = (address) => address.split("/-/")[0];
// Numbers keep all their digits.
const exact = (key, value, context) => typeof value === "number" && JSON.rawJSON ? JSON.rawJSON(context.source) : value;

// The row of a form, as JSON.
async function fetchRow(form) {
  const response = await fetch(ownerOf(form.action), { headers: { Accept: "application/json" } });
  return JSON.parse(await response.text(), exact).row;
}

// The JSON of those fields of a form whose old values differ from the current ones.
function oldValues(form, old, now) {
  // Bytes have no field; the list refuses them with the reason instead of losing them.
  const bytes = now ? [] : Object.keys(old.cells).filter((name) => old.cells[name]?.bytes);
  const names = [...new Set([...form.elements].map((field) => field.name).concat(bytes))].filter((name) => name in old.cells);
  const changed = names.filter((name) => JSON.stringify(old.cells[name]) !== JSON.stringify(now?.cells[name]));
  return changed.map((name) => [name, old.cells[name]]);
}

// Submits the form of a row. A refused form is shown in the panel with its faults.
async function save(form, submitter, row = document.getElementById(openedRow)) {
  const isRemoval = form.matches("[data-purpose=remove]"), isEdit = form.matches("[data-purpose=edit]");
  const old = (isRemoval || isEdit) && await fetchRow(form);
  const fields = isRemoval ? await fetchForm(form.dataset.edit) : form;
  const { response, page } = await postPage(form.action, new FormData(form, submitter));
  if (!response.redirected) {
    fillPanel(page, row);
    return focusPanel("[aria-invalid], fieldset input, button");
  }
  const createAddress = one(".head .go")?.href;
  const now = isEdit ? await fetchRow(form) : undefined;
  if (isRemoval) closePanel();
  else if (openedRow) await openRow(row ? linkOf(row).href : location.href, openedRow);
  await reload();
  const values = old && fields && oldValues(fields, old, now);
  const send = (address, method, id, headers) => values?.length && undoing(address, method, JSON.stringify(Object.fromEntries([...id, ...values])), headers);
  if (isEdit) showToast(text("saved"), send(ownerOf(form.action), "PATCH", [], { "If-Match": now?.etag }));
  else if (isRemoval && createAddress && !hasBytes(old.cells)) showToast(text("gone"), send(ownerOf(createAddress), "POST", [["id", old?.cells.id ?? old?.id]]));
  else showToast(text(isRemoval ? "gone" : "saved"));
}

// Whether a row has bytes, which no undo can send again.
export const hasBytes = (row) => Object.values(row).some((value) => value?.bytes >= 0 && value.href);

// Sends old values again.
export const undoing = (address, method, body, fields) => async () => {
  const headers = { Accept: "application/json", "Content-Type": "application/json", ...fields };
  const response = await fetch(address, { method, headers, body });
  if (!response.ok) return showToast(text("notUndone"));
  if (openedRow) await openRow(location.href, openedRow);
  await reload();
  showToast(text("undone"));
};

let fading;

export function showToast(message, undo) {
  one("#toast")?.remove();
  const toast = create("p", { id: "toast", role: "status", textContent: message });
  if (undo) toast.append(" · ", Object.assign(button(text("undo")), { onclick: undo }));
  one("main").append(toast);
  clearTimeout(fading);
  fading = setTimeout(() => toast.remove(), 10000);
}

on("submit", (event) => {
  if (!event.target.matches("#panel form[method=post]")) return;
  event.preventDefault();
  save(event.target, event.submitter);
});

// A double click replaces the content of a cell by the field of the row's form.
on("dblclick", async ({ target }) => {
  const cell = target.closest("#list td:not(.acts)"), row = cell?.closest("[id^=r-]");
  const link = row && one(".head .go") && linkOf(row);
  if (!link || one("#list [data-cell]")) return;
  getSelection().empty();
  const edit = one("[data-act=edit]", (await fetchPage(link.href)).page);
  const form = edit && await fetchForm(edit.href);
  const field = form?.elements[all("thead th")[cell.cellIndex]?.dataset.c];
  if (!field) return;
  const input = field.cloneNode(true), content = [...cell.childNodes];
  input.dataset.cell = "";
  input.ariaLabel = cell.dataset.l ?? "";
  cell.replaceChildren(input);
  input.focus();
  let isFinished = false;
  const finish = async (isSaved) => {
    // Removing the field fires `blur` once more.
    if (isFinished) return;
    isFinished = true;
    cell.replaceChildren(...content);
    if (!isSaved || input.value === field.value) return;
    form.reset();
    form.elements[field.name].value = input.value;
    await save(form, undefined, row);
  };
  input.onblur = () => finish(true);
  input.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Escape") finish(false);
    if (event.key === "Enter" && !event.shiftKey) finish(true);
  };
});
