// Forms of rows in the panel.

import { all, fetchPage, linkOf, on, one, postPage, text } from "./document.js";
import { forgetDraft } from "./drafts.js";
import { reload } from "./navigation.js";
import { closePanel, fillPanel, focusPanel, openRow, openedRow } from "./panel.js";
import { fetchRow, record, removeRow, send, setTag, showFailure, showToast, undo, writeCells } from "./writing.js";

const ownerOf = (address) => address.split("/-/")[0];

// The cells of those fields of a form whose old values differ from the current ones.
function changedCells(form, old, now) {
  // Bytes have no field; the list refuses them with the reason instead of losing them.
  const bytes = now ? [] : Object.keys(old).filter((name) => old[name]?.bytes);
  const names = new Set([...form.elements].map((field) => field.name).concat(bytes));
  return [...names].filter((name) => name in old && JSON.stringify(old[name]) !== JSON.stringify(now?.[name]));
}

const pick = (cells, names) => Object.fromEntries(names.map((name) => [name, cells[name]]));

// Submits the form of a row. A refused form has its faults in the panel, and stays after a failure.
async function save(form, submitter) {
  const isRemoval = form.matches("[data-purpose=remove]"), isEdit = form.matches("[data-purpose=edit]");
  const isNew = !isRemoval && !isEdit;
  const address = ownerOf(form.action), row = document.getElementById(openedRow);
  const retry = () => save(form, submitter);
  let old, fields = form, response, page;
  try {
    if (isRemoval || isEdit) old = await fetchRow(address);
    if (isRemoval) fields = one("main form", (await fetchPage(form.dataset.edit)).page);
    ({ response, page } = await postPage(form.action, new FormData(form, submitter)));
  } catch {
    return showFailure(text("unreachable"), retry);
  }
  if (!response.redirected) {
    if (!one("main form", page)) return showFailure(messageOf(page), retry);
    fillPanel(page, row);
    return focusPanel("[aria-invalid], fieldset input, button");
  }
  forgetDraft(form);
  const list = one(".head .go")?.href, now = isEdit ? await fetchRow(address) : undefined;
  if (isRemoval || isNew) closePanel();
  else if (openedRow) await openRow(row ? linkOf(row).href : location.href, openedRow);
  await reload();
  const added = isNew && one(".note a", page)?.href, made = added && await fetchRow(added);
  if (made) {
    setTag(added, made.etag);
    record(() => removeRow(added), () => createRow(list, made, pick(made.cells, changedCells(form, made.cells))));
  }
  if (isNew) return showToast(text("made"), made && { show: added, undo });
  const names = old && fields ? changedCells(fields, old.cells, now?.cells) : [];
  const canUndo = names.length && (isEdit ? now : list && !hasBytes(old.cells));
  if (isEdit && canUndo) {
    setTag(address, now.etag);
    const write = (cells) => () => writeCells([{ address, cells: pick(cells, names) }]);
    record(write(old.cells), write(now.cells));
  } else if (canUndo) {
    record(() => createRow(list, old, pick(old.cells, names)), () => removeRow(address));
  }
  showToast(text(isRemoval ? "gone" : "saved"), canUndo && { undo });
}

async function createRow(list, { id, cells: { id: own = id } }, cells) {
  const result = await send("POST", ownerOf(list), JSON.stringify({ id: own, ...cells }));
  const { row } = result.answer;
  if (row) setTag(new URL(row.links.self, location).href, row.etag);
  return result;
}

export const messageOf = (page) => all(".lead, .faults li", page).map((part) => part.textContent).join(" ");

// Whether a row has bytes, which no undo can send again.
export const hasBytes = (row) => Object.values(row).some((value) => value?.bytes >= 0 && value.href);

on("submit", (event) => {
  if (!event.target.matches("#panel form[method=post]")) return;
  event.preventDefault();
  save(event.target, event.submitter);
});
