// Starts the page, and again each new page of the list.

import { reloadWhileCounting, startChanges } from "./changes.js";
import "./board.js";
import { startCells } from "./cells.js";
import { addColumnMenus } from "./columns.js";
import { startCursor } from "./cursor.js";
import { all, allRows, on, one } from "./document.js";
import { restoreDraft } from "./drafts.js";
import { markDraggable } from "./dragging.js";
import { fitFilterForm } from "./filters.js";
import { applyLayout, readLayout } from "./layout.js";
import { markOpenedRow, openedRow } from "./panel.js";
import { applyPreferences } from "./preferences.js";
import { startPages } from "./scrolling.js";
import { startSelection } from "./selection.js";
import { updateTimes } from "./times.js";

// Names the cells of large pages where they are read as lines.
function labelCells() {
  if (one("#list td[data-l]")) return;
  const names = all("thead th").map((header) => header.abbr);
  for (const row of allRows()) [...row.children].forEach((cell, index) => cell.dataset.l = names[index] ?? "");
}

on("beforeprint", labelCells);

on("mouseover", ({ target }) => {
  const cell = target.closest?.("#list :is(td, th, dd)");
  if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
});

function begin() {
  // A reload shows a notice no more.
  if (/[?&]notice=\w+$/.test(location.search)) history.replaceState(null, "", location.href.replace(/[?&]notice=\w+$/, ""));
  startSelection();
  one("#help")?.removeAttribute("disabled");
  for (const form of all("form.panel")) fitFilterForm(form);
  addColumnMenus();
  markDraggable();
  if (matchMedia("(width <= 40rem)").matches) labelCells();
  applyLayout();
  applyPreferences();
  startPages();
  startChanges();
  reloadWhileCounting();
  if (openedRow) markOpenedRow();
  startCursor();
  startCells();
}

on("listreveal", begin);
on("listchange", startCells);
readLayout();
begin();
restoreDraft();
updateTimes();
setInterval(updateTimes, 6e4);
new MutationObserver(updateTimes).observe(document.body, { childList: true, subtree: true });
