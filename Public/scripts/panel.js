// A row beside the list, with its own address.

import { all, allRows, button, controls, create, fetchPage, isModified, linkOf, list, on, one, text } from "./document.js";

// The id of the element of the row in the panel.
export let openedRow;
const hasRoom = matchMedia("(width > 60rem)");

// Shows the content of a page beside the list.
export function fillPanel(page, row) {
  if (row) openedRow ??= row.id;
  let panel = one("#panel");
  if (!panel) {
    panel = create("aside", { id: "panel", tabIndex: -1, innerHTML: "<p></p><div></div>" });
    for (const [name, sign] of [["before", "↑"], ["behind", "↓"], ["close", "×"]]) {
      const step = button(sign, text(name));
      step.dataset.step = name;
      panel.firstChild.append(step);
    }
    document.body.append(panel);
  }
  panel.ariaLabel = one("h1", page).textContent;
  panel.lastChild.replaceChildren(...one("main", page).childNodes);
  dispatchEvent(new Event("panelfill"));
  return panel;
}

export const focusPanel = (selector) => one(selector, one("#panel").lastChild)?.focus();

export async function openRow(address, id, keepsFocus) {
  const { response, page } = await fetchPage(address);
  const isFirst = !openedRow;
  openedRow = id;
  history[isFirst && !history.state?.row ? "pushState" : "replaceState"]({ row: id }, "", response.url);
  document.title = page.title;
  const panel = fillPanel(page);
  if (!keepsFocus) panel.focus();
  markOpenedRow();
}

export function markOpenedRow() {
  for (const row of all("#list [aria-current]")) row.removeAttribute("aria-current");
  const rows = allRows(), index = rows.findIndex((row) => row.id === openedRow);
  rows[index]?.setAttribute("aria-current", "true");
  rows[index]?.scrollIntoView({ block: "nearest" });
  for (const [name, by] of [["before", -1], ["behind", 1]]) {
    const step = one(`[data-step=${name}]`);
    if (step) step.ariaDisabled = index < 0 || !rows[index + by] ? "true" : null;
  }
}

export function closePanel() {
  if (!openedRow) return;
  one("#panel")?.remove();
  const row = document.getElementById(openedRow);
  openedRow = undefined;
  markOpenedRow();
  one("a", row)?.focus({ preventScroll: true });
}

// Opens the row before or after the open one.
export function openNeighbor(by) {
  const rows = allRows(), row = rows[rows.findIndex((row) => row.id === openedRow) + by];
  if (linkOf(row ?? null)) openRow(linkOf(row).href, row.id);
}

const steps = {
  before: () => openNeighbor(-1),
  behind: () => openNeighbor(1),
  close: () => history.back(),
};

on("click", (event) => {
  const { target } = event, step = target.closest("[data-step]"), action = target.closest("#panel [data-act]");
  if (step) return steps[step.dataset.step]();
  // A click anywhere opens the row of a list that is only read.
  const isFree = !one(".head .go") && !target.closest(controls) && getSelection().isCollapsed;
  const row = target.closest("#list [id^=r-]"), base = list()?.dataset.changes?.split("/-/changes")[0];
  const link = target.closest("#list :is(th[scope=row], h2, h3) > a:first-child") ?? (isFree && one("th[scope=row] > a:first-child", row));
  const isOwn = link && link.origin === location.origin && link.pathname.startsWith(`${base}/`), isRow = isOwn && hasRoom.matches;
  if (isOwn && isFree && !isRow && !isModified(event)) location = link.href;
  if (!(isRow || action) || isModified(event)) return;
  event.preventDefault();
  if (isRow) openRow(link.href, row.id);
  else if (action.dataset.act === "cancel") openRow(location.href, openedRow);
  else fetchPage(action.href).then(({ page }) => {
    fillPanel(page);
    focusPanel("input:not([type=hidden]), textarea, button");
  });
});
