// Cards that are dragged to another section of a board get the value of that section.

import { addressOfRow, list, on, text } from "./document.js";
import { draggedRow } from "./dragging.js";
import { reload } from "./navigation.js";
import { fetchRow, inTurn, parse, record, showFailure, showToast, undo, writeCells } from "./writing.js";

const targetOf = ({ target }) => draggedRow && target.closest("[data-value]");

on("dragover", (event) => targetOf(event) && event.preventDefault());

on("drop", (event) => {
  const section = targetOf(event);
  if (!section || section.contains(draggedRow)) return;
  event.preventDefault();
  const address = addressOfRow(draggedRow);
  inTurn(() => moveCard(address, list().dataset.column, parse(section.dataset.value)));
});

async function moveCard(address, column, value) {
  const row = await fetchRow(address);
  const write = (value) => () => writeCells([{ address, cells: { [column]: value } }]);
  const { ok, message } = row ? await write(value)() : { message: text("unreachable") };
  if (!ok) return showFailure(message, () => moveCard(address, column, value));
  record(write(row.cells[column] ?? null), write(value));
  await reload();
  showToast(text("saved"), { undo });
}
