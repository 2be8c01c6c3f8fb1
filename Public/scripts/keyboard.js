// Single keys. The dialog of keys lists them and turns them off.

import { all, allRows, focusedRow, linkOf, listTop, on, one, openMenu, sections, top } from "./document.js";
import { openNeighbor, openRow, openedRow } from "./panel.js";
import { storage } from "./preferences.js";
import { choose, isChosen } from "./selection.js";

// True after "g": the next letter leads to a section.
let hasPrefix = false;

// Focuses the next element, or the first visible one.
function moveFocus(elements, by) {
  const index = elements.findIndex((element) => element.contains(document.activeElement));
  const next = index < 0 ? elements.find((element) => top(element) > listTop()) ?? elements[0] : elements[index + by];
  one("a", next ?? null)?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

const keys = {
  "/": () => one("input[type=search]")?.select(),
  j: () => openedRow ? openNeighbor(1) : moveFocus(allRows(), 1),
  k: () => openedRow ? openNeighbor(-1) : moveFocus(allRows(), -1),
  async e() {
    const row = focusedRow(), link = linkOf(row);
    if (!openedRow && link) await openRow(link.href, row.id);
    one("#panel [data-act=edit]")?.click();
  },
  n: () => moveFocus(sections(), 1),
  p: () => moveFocus(sections(), -1),
  x: () => focusedRow() && choose(focusedRow(), !isChosen(focusedRow())),
  "[": () => one(".pages [rel=prev]")?.click(),
  "]": () => one(".pages [rel=next]")?.click(),
  s: () => openMenu("s"),
  f: () => openMenu("f"),
  c: () => openMenu("c"),
  ".": () => one("summary, .acts a, .acts button", focusedRow())?.focus(),
  g: () => hasPrefix = true,
  r: () => one("#news:not([hidden])")?.click(),
  "?": () => {
    if (!one("#keys")) return;
    one("#single").checked = storage.keys !== "off";
    one("#keys").showModal();
  },
};

on("click", ({ target }) => target.id === "help" && keys["?"]());

on("keydown", (event) => {
  const { key, target } = event;
  if (event.defaultPrevented) return;
  if (key === "Enter" && (event.ctrlKey || event.metaKey)) return target.form?.requestSubmit();
  if (key === "Escape") {
    for (const menu of all("details[open]")) {
      one("summary", menu).focus();
      menu.open = false;
    }
    if (openedRow && !one(":popover-open, dialog[open]") && !target.matches("select")) history.back();
  }
  if (event.ctrlKey || event.altKey || event.metaKey || target.matches("input:not([type=checkbox]), select, textarea")) return;
  if (storage.keys === "off" || one("dialog[open]")) return;
  const letter = hasPrefix && all(".az a").find((link) => link.textContent === key.toUpperCase());
  hasPrefix = false;
  if (letter) return letter.click();
  if (!Object.hasOwn(keys, key)) return;
  event.preventDefault();
  keys[key](event);
});
