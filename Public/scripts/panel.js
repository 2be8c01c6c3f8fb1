// A row beside the list, with its own address.

import { all, allRows, button, controls, create, fetchPage, isModified, linkOf, list, on, one, text } from "./document.js";

// The id of the element of the row in the panel.
export let openedRow;
// The id in place of the row while the form of a new one is open.
const newRow = "new";
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

let opening;

// Opens a row in the panel, unless another one is opened before the answer.
export async function openRow(address, id, keepsFocus) {
  opening?.abort();
  const { signal } = opening = new AbortController();
  const { response, page } = await fetchPage(address, { signal }).catch((error) => {
    if (!signal.aborted) throw error;
    return {};
  });
  if (signal.aborted) return;
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
  opening?.abort();
  if (!openedRow) return;
  one("#panel")?.remove();
  const link = openedRow === newRow ? one(".head a.go") : one("a", document.getElementById(openedRow));
  openedRow = undefined;
  markOpenedRow();
  link?.focus({ preventScroll: true });
}

// Opens the row before or after the open one.
export function openNeighbor(by) {
  const rows = allRows(), row = rows[rows.findIndex((row) => row.id === openedRow) + by];
  if (linkOf(row ?? null)) openRow(linkOf(row).href, row.id);
}

const fields = "input:not([type=hidden]), textarea, select, button";
const idIn = (link) => decodeURIComponent(link.pathname.split("/").at(-1));

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
  const link = target.closest("#list :is(th[scope=row], h2, h3) > a:first-child, .note a, #toast a, .head a.go") ?? (isFree && one("th[scope=row] > a:first-child", row));
  const isOwn = link && link.origin === location.origin && link.pathname.startsWith(`${base}/`), isRow = isOwn && hasRoom.matches;
  if (isOwn && isFree && !isRow && !isModified(event)) location = link.href;
  if (!(isRow || action) || isModified(event)) return;
  event.preventDefault();
  if (isRow && link.matches(".go")) openRow(link.href, newRow).then(() => focusPanel(fields));
  else if (isRow) openRow(link.href, row?.id ?? `r-${encodeURIComponent(idIn(link))}`);
  else if (action.dataset.act === "cancel" && openedRow === newRow) history.back();
  else if (action.dataset.act === "cancel") openRow(location.href, openedRow);
  else fetchPage(action.href).then(({ page }) => {
    fillPanel(page);
    focusPanel(fields);
  });
});
