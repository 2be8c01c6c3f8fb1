// Rows dragged to another place, and files dropped to import them.

import { all, idOf, on, one, openMenu, top } from "./document.js";
import { shown, show } from "./navigation.js";

export let draggedRow;

export function markDraggable() {
  for (const row of all("[data-move], [data-value] .card")) row.draggable = true;
}

// The file field of the import form while files are dragged.
const fileField = (event) => event.dataTransfer?.types.includes("Files") && one("[data-key=i] [type=file]");

on("dragstart", ({ target }) => draggedRow = target.closest?.("[draggable=true]"));
on("dragend", () => draggedRow = undefined);
on("dragover", (event) => {
  if (fileField(event) || draggedRow && event.target.closest("[data-move]")) event.preventDefault();
});

on("drop", async (event) => {
  const field = fileField(event), row = draggedRow && event.target.closest("[data-move]");
  if (!field && (!row || row === draggedRow)) return;
  event.preventDefault();
  if (field) {
    openMenu("i");
    field.files = event.dataTransfer.files;
    return field.form.requestSubmit();
  }
  const name = event.clientY < top(row) + row.offsetHeight / 2 ? "before" : "after";
  const body = new URLSearchParams({ [name]: idOf(row) });
  await fetch(draggedRow.dataset.move, { method: "POST", body, headers: { Accept: "text/html" } });
  show(shown);
});
