// Forms of rows in the panel and in cells, with undo.

import { all, button, create, fetchPage, idOf, linkOf, on, one, postPage, text } from "./document.js";
import { reload } from "./navigation.js";
import { closePanel, fillPanel, focusPanel, openRow, openedRow } from "./panel.js";

// The fields of a form before the user changed them.
function originalFields(form) {
  const copy = form.cloneNode(true);
  copy.reset();
  return new FormData(copy);
}

const fetchForm = async (address) => one("main form", (await fetchPage(address)).page);

// Submits the form of a row. A refused form is shown in the panel with its faults.
async function save(form, submitter, row = document.getElementById(openedRow)) {
  const isRemoval = form.matches("[data-purpose=remove]"), isEdit = form.matches("[data-purpose=edit]");
  const old = originalFields(isRemoval ? await fetchForm(form.dataset.edit) : form);
  const { response, page } = await postPage(form.action, new FormData(form, submitter));
  if (!response.redirected) {
    fillPanel(page, row);
    return focusPanel("[aria-invalid], fieldset input, button");
  }
  const createAddress = one(".head .go")?.href;
  if (isRemoval) closePanel();
  else if (openedRow) await openRow(row ? linkOf(row).href : location.href, openedRow);
  await reload();
  if (isEdit) showToast(text("saved"), () => restore(form.action, old));
  else if (isRemoval && createAddress) showToast(text("gone"), () => restore(createAddress, old, idOf(row)));
  else showToast(text("saved"));
}

// Submits the old fields with the version that the row has now.
async function restore(address, old, id) {
  const form = await fetchForm(address), current = new FormData(form);
  for (const name of ["form__tag", "form__base"]) {
    old.delete(name);
    if (current.has(name)) old.set(name, current.get(name));
  }
  if (id) old.set("id", id);
  const { response, page } = await postPage(form.action, old);
  if (!response.redirected) return fillPanel(page);
  if (openedRow) await openRow(location.href, openedRow);
  await reload();
  showToast(text("undone"));
}

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
