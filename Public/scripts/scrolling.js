// Adds the next page while the reader scrolls, and removes distant rows.

import { addColumnMenus } from "./columns.js";
import { all, allRows, childrenOf, fetchPage, list, on, one, rowContainer, rowsOf, sections, top } from "./document.js";
import { markDraggable } from "./dragging.js";
import { shown } from "./navigation.js";
import { isOn } from "./preferences.js";

// The pages in order; those from `first` up to `end` are shown.
let pages = [], first = 0, end = 1, extending;
const maximumRows = 1000;
const observer = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) extend(target === allRows()[0] && first > 0 ? -1 : 1);
}, { rootMargin: "600px", scrollMargin: "600px" });

export const isExtended = () => pages.length > 1;

export function startPages() {
  pages = [{ address: shown, rows: allRows() }];
  [first, end] = [0, 1];
  extending = undefined;
  observeEnds();
}

function observeEnds() {
  observer.disconnect();
  const rows = isOn("endless") ? allRows() : [];
  if (rows.length && first) observer.observe(rows[0]);
  if (rows.length) observer.observe(rows.at(-1));
}

async function extend(direction) {
  const next = one(".pages [rel=next]");
  const address = direction < 0 ? pages[first - 1].address : pages[end]?.address ?? next?.href;
  if (extending || !address) return;
  const own = extending = pages;
  observer.disconnect();
  try {
    const { response, page } = await fetchPage(address);
    if (response.ok && own === pages) insertPage(page, direction, address);
  } finally {
    if (extending === own) extending = undefined;
    if (own === pages) observeEnds();
  }
}

// Adds the rows of a page above or below, and removes the farthest page of too many rows.
function insertPage(page, direction, address) {
  const edge = sections().at(direction < 0 ? 0 : -1), inserted = [];
  const anchor = allRows().find((row) => top(row) > 0), anchorTop = anchor && top(anchor);
  for (const section of childrenOf(one("#list", page), "s-")) {
    const rows = rowsOf(section);
    inserted.push(...rows);
    if (section.id !== edge.id) direction < 0 ? edge.before(section) : list().append(section);
    else if (direction < 0) rowsOf(edge)[0].before(...rows);
    else rowContainer(edge).append(...rows, ...all(":scope > .sf", section));
  }
  if (direction < 0) first -= 1;
  else end += 1;
  pages[direction < 0 ? first : end - 1] = { address, rows: inserted };
  while (end - first > 1 && allRows().length > maximumRows) {
    for (const row of pages[direction < 0 ? end - 1 : first].rows) row.remove();
    if (direction < 0) end -= 1;
    else first += 1;
    for (const section of sections()) if (!rowsOf(section).length) section.remove();
  }
  const bar = one(".pages"), newBar = one(".pages", page);
  if (direction > 0 && bar && newBar) {
    const [start] = (one(".n", bar)?.textContent ?? "").split("–");
    const range = one(".n", newBar);
    if (range) range.textContent = `${start}–${range.textContent.split("–")[1]}`;
    bar.replaceChildren(...newBar.childNodes);
  }
  if (anchor?.isConnected) (one(".wide") ?? window).scrollBy(0, top(anchor) - anchorTop);
  addColumnMenus();
  markDraggable();
  dispatchEvent(new Event("listchange"));
}

// Comes after the listener that stores the choice.
on("change", ({ target }) => target.dataset.own && observeEnds());
